import { createAdminClient } from './admin-client.ts'
import { operationsOf, readDescription } from './api-description.ts'
import type { TestServer } from './test-server.ts'

/** What every operation that asks for a session answers, but for the e-mail calls' second addresses. */
export async function refusalsOfGuarded(
  server: TestServer,
  cookie: string,
  isOpen: (path: string) => boolean,
) {
  const { refusal } = createAdminClient(server, cookie)
  const answers: [operation: string, answer: object][] = []
  for (const { path, method, operation } of operationsOf(await readDescription(server.url))) {
    // A session of the office opens no route of a student.
    if (operation['x-permission'] === 'student') continue
    if (!operation.security || isOpen(path) || path.startsWith('/emailService')) continue
    const address = path.replaceAll(/\{\w+\}/g, '0198f4b2-0000-7000-8000-000000000000')
    answers.push([`${method} ${path}`, await refusal(method.toUpperCase(), address)])
  }
  answers.push(['drafts', await refusal('GET', '/announcements?all=true')])
  answers.push(['hidden slides', await refusal('GET', '/slides?all=true')])
  return answers
}
