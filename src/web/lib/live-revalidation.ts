import { useRevalidator } from 'react-router'
import type { Topic } from '#shared/topics.ts'
import { useLiveTopics } from './live.ts'
import { useThrottled } from './timers.ts'

export function useLiveRevalidation(topics: readonly Topic[]): void {
  useLiveTopics(topics, useThrottled(useRevalidator().revalidate))
}
