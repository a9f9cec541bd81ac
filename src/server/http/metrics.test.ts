import { expect, onTestFinished, test } from 'vitest'
import { startTestServer } from '#tests/setup/test-server.ts'

test('/metrics needs its token, and has counts and nothing of a person', async () => {
  const token = 'a token of a monitoring program'
  const server = await startTestServer({ env: { METRICS_TOKEN: token } })
  onTestFinished(server.close)
  const read = (given?: string) =>
    fetch(
      `${server.url}/metrics`,
      given === undefined ? {} : { headers: { Authorization: `Bearer ${given}` } },
    )
  await fetch(`${server.url}/api/site?search=Dela+Cruz`)
  expect([(await read()).status, (await read('another')).status]).toEqual([401, 401])
  const answer = await read(token)
  expect(answer.headers.get('Content-Type')).toBe('text/plain; version=0.0.4')
  const text = await answer.text()
  // Each line a comment, or a name with labels and a number.
  for (const line of text.trimEnd().split('\n')) {
    expect(line).toMatch(/^(# TYPE \w+ (counter|gauge)|\w+(\{\w+="\w+"\})? \d[\d.e+-]*)$/)
  }
  expect(text).toContain('nstp_requests_total{status="200"} 1\n')
  expect(text).toContain('nstp_database_connections{state="waited_for"} 0\n')
  expect(text).not.toMatch(/Cruz|127\.0\.0\.1/)
})

test('/metrics is off without a token', async () => {
  const server = await startTestServer()
  onTestFinished(server.close)
  expect((await fetch(`${server.url}/metrics`, { headers: { Authorization: 'Bearer ' } })).status).toBe(404)
})
