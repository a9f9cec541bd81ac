import { useState } from 'react'
import type { ServerTestResult, ServerTestStep } from '#shared/server-test.ts'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'

/** Runs the steps of the mail server's test, one at a time; the last one's conversation is shown. */
export function useMailConversation() {
  const [running, setRunning] = useState<ServerTestStep | null>(null)
  const [result, setResult] = useState<ServerTestResult | null>(null)
  const [failure, setFailure] = useState<{ step: ServerTestStep; sentence: string } | null>(null)

  async function run(step: ServerTestStep) {
    if (running) return
    setRunning(step)
    setFailure(null)
    try {
      setResult(await callApi(api.mail['server-test'].$post({ json: { step } })))
    } catch (error) {
      setResult(null)
      setFailure({ step, sentence: sentenceOf(error) })
    } finally {
      setRunning(null)
    }
  }

  return { running, result, failure, run }
}
