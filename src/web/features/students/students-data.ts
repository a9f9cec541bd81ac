import { replace } from 'react-router'
import type { StudentReading } from '#shared/student.ts'
import type { StudentPage } from '#shared/students.ts'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import type { ListPlace } from './list-place.ts'
import {
  filterParams,
  type OpenRecord,
  readAddress,
  type StudentsAddress,
  writeAddress,
} from './student-query.ts'

/** What a list of students shows at one address. */
export interface StudentsData {
  address: StudentsAddress
  list: StudentPage
  /** The open record, or why it can't be shown. */
  record: RecordReading | null
  /** The years to choose from: those on offer, then others that records hold. */
  academicYears: readonly string[]
  /** The courses to choose from, which only the edit form does, in the same order. */
  courses: readonly string[]
}

/** A record that was read, or the sentence that tells why it couldn't be. */
export type RecordReading = { record: StudentReading } | { failure: string }

/**
 * Reads what an address of a list of students asks for.
 *
 * @throws Response that leads to the last page, in place of an address beyond it: records went away, or the
 *   link is old
 * @throws ApiProblem when the list can't be read. Of the open record the sentence is kept: the list can
 *   be shown without it.
 */
export async function loadStudents(url: URL, place: ListPlace, signal: AbortSignal): Promise<StudentsData> {
  const address = readAddress(url.searchParams, place)
  const [list, record, offer, years, courses] = await Promise.all([
    loadList(address, signal),
    loadRecord(address.opened, signal),
    callApi(api.registrations.offer.$get(undefined, { init: { signal } })),
    callApi(api.students['academic-years'].$get(undefined, { init: { signal } })),
    address.opened?.as === 'edit'
      ? callApi(api.students.courses.$get(undefined, { init: { signal } }))
      : { items: [] },
  ])
  const lastPage = Math.max(1, Math.ceil(list.total / list.pageSize))
  if (address.query.page > lastPage) {
    const query = { ...address.query, page: lastPage }
    throw replace(writeAddress({ ...address, query }, place))
  }
  return {
    address,
    list,
    record,
    academicYears: [...new Set([...offer.academicYears, ...years.items])],
    courses: [...new Set([...offer.courses, ...courses.items])],
  }
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

async function loadRecord(opened: OpenRecord | null, signal: AbortSignal): Promise<RecordReading | null> {
  // What compares records reads them itself.
  if (opened === null || opened.as === 'duplicates') return null
  const { id } = opened
  try {
    return { record: await callApi(api.students[':id'].$get({ param: { id } }, { init: { signal } })) }
  } catch (error) {
    // The page was left; the router expects its own abort back.
    signal.throwIfAborted()
    return { failure: sentenceOf(error) }
  }
}
