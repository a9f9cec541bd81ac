import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { problemSentences } from '#shared/problem.ts'
import { SubmitPanel } from './enlistment-form.tsx'

test('a refused post says without scripts what failed and why', () => {
  const failed = { sentence: problemSentences.unavailable, canRetry: true }
  const html = renderToStaticMarkup(<SubmitPanel isSending={false} failed={failed} />)
  expect(html).toContain(`Failed to register: ${problemSentences.unavailable}`)
  expect(html).toContain('Try again')
})

test('the button says that the registration is on its way, and takes no second press', () => {
  const html = renderToStaticMarkup(<SubmitPanel isSending failed={undefined} />)
  expect(html).toMatch(/<button[^>]* disabled[^>]*>Submitting Registration...</)
})
