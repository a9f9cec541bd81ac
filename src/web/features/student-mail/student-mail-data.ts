import type { StudentMail } from '#shared/student-mail.ts'
import { api, callApi } from '#web/lib/api.ts'

/** @throws ApiProblem */
export function readStudentMail(id: string, signal: AbortSignal): Promise<StudentMail> {
  return callApi(api.students[':id'].mail.$get({ param: { id } }, { init: { signal } }))
}

/** @throws ApiProblem */
export function changeAnnouncements(id: string, announcements: boolean): Promise<StudentMail> {
  return callApi(api.students[':id'].mail.$put({ param: { id }, json: { announcements } }))
}

/** @throws ApiProblem */
export function resendWelcome(id: string) {
  return callApi(api.students[':id']['welcome-mail'].$post({ param: { id } }))
}
