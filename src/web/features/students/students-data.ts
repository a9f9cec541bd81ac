import { replace } from 'react-router'
import type { StudentRecord } from '#shared/student.ts'
import type { StudentPage } from '#shared/students.ts'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { filterParams, readAddress, type StudentsAddress, writeAddress } from './student-query.ts'

/** What the students tab shows at one address. */
export interface StudentsData {
  address: StudentsAddress
  list: StudentPage
  /** The student whose details are open, or why they can't be shown. */
  details: { record: StudentRecord } | { failure: string } | null
}

/**
 * Reads what an address of the students tab asks for.
 *
 * @throws Response that leads to the last page, in place of an address beyond it: records went away, or the
 *   link is old
 * @throws ApiProblem when the list can't be read. Of the details the sentence is kept: the list can be shown
 *   without them.
 */
export async function loadStudents(url: URL, signal: AbortSignal): Promise<StudentsData> {
  const address = readAddress(url.searchParams)
  const [list, details] = await Promise.all([loadList(address, signal), loadDetails(address.student, signal)])
  const lastPage = Math.max(1, Math.ceil(list.total / list.pageSize))
  if (address.query.page > lastPage) {
    const query = { ...address.query, page: lastPage }
    throw replace(`${url.pathname}${writeAddress({ ...address, query })}`)
  }
  return { address, list, details }
}

async function loadList({ query }: StudentsAddress, signal: AbortSignal): Promise<StudentPage> {
  const { page, pageSize } = query
  return await callApi(
    api.students.$get(
      { query: { ...filterParams(query), page: String(page), pageSize: String(pageSize) } },
      { init: { signal } },
    ),
  )
}

async function loadDetails(id: string | null, signal: AbortSignal): Promise<StudentsData['details']> {
  if (id === null) return null
  try {
    return { record: await callApi(api.students[':id'].$get({ param: { id } }, { init: { signal } })) }
  } catch (error) {
    // The tab was left; the router expects its own abort back.
    signal.throwIfAborted()
    return { failure: sentenceOf(error) }
  }
}
