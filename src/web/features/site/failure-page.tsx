import { isRouteErrorResponse } from 'react-router'
import { connectionSentence, problemSentences } from '#shared/problem.ts'
import { scriptSentence } from '#shared/script-error.ts'
import { Button } from '#web/components/button.tsx'
import { ApiProblem, isProblem } from '#web/lib/api-problem.ts'
import { isConnectionFailure, isScriptError } from '#web/lib/script-errors.ts'
import { useTranslation } from '#web/lib/translation.tsx'

/** The links work without scripts. */
export function FailurePage({ error }: { error: unknown }) {
  const isOnline = typeof navigator === 'undefined' || navigator.onLine !== false
  const t = useTranslation()
  const { title, sentence } = failureOf(error, isOnline)
  return (
    <main className="page-width grid min-h-dvh place-items-center py-16">
      <title>{`${t(title)} · NSTP Portal`}</title>
      <div className="max-w-lg text-center">
        <h1 className="text-3xl font-bold">{t(title)}</h1>
        <p className="mt-3 text-lg text-muted">{t(sentence)}</p>
        <div className="mt-8 flex flex-wrap justify-center gap-3">
          <Button onClick={() => window.location.reload()}>Try again</Button>
          {/* A document load on purpose: whatever broke in this tab is left behind. */}
          <a
            href="/"
            className="inline-flex min-h-11 items-center rounded-box border border-edge bg-card px-4 font-semibold hover:bg-soft"
          >
            {t('Go to the home page')}
          </a>
        </div>
      </div>
    </main>
  )
}

interface Failure {
  title: string
  sentence: string
}

export function failureOf(error: unknown, isOnline: boolean): Failure {
  if (!isOnline) return { title: 'You are offline', sentence: connectionSentence }
  if (error instanceof ApiProblem) return { title: 'This page could not be loaded', sentence: error.message }
  if (isRouteErrorResponse(error) && isProblem(error.data)) {
    return { title: 'This page could not be loaded', sentence: error.data.detail }
  }
  if (isRouteErrorResponse(error) && error.status === 404) {
    return { title: 'Page not found', sentence: problemSentences.not_found }
  }
  if (isConnectionFailure(error)) {
    return { title: 'This page could not be loaded', sentence: connectionSentence }
  }
  const sentence = isScriptError(error) ? scriptSentence : problemSentences.internal
  return { title: 'Something went wrong', sentence }
}
