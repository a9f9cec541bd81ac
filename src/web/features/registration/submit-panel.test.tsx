import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { problemSentences } from '#shared/problem.ts'
import { SubmitPanel } from './submit-panel.tsx'

test('a refused post says without scripts what failed and why', () => {
  const failed = { sentence: problemSentences.unavailable, canRetry: true }
  const html = renderToStaticMarkup(<SubmitPanel isSending={false} failed={failed} />)
  expect(html).toContain(`Failed to register: ${problemSentences.unavailable}`)
  expect(html).toContain('Try again')
})

test('while submitting, the button says so and is disabled', () => {
  const html = renderToStaticMarkup(<SubmitPanel isSending failed={undefined} />)
  expect(html).toMatch(/<button[^>]* disabled[^>]*>Submitting Registration...</)
})
