import { api, callApi } from './api.ts'

interface PrintNote {
  kind: 'list' | 'sheet'
  count: number
  /** Whose sheets, where that isn't a whole list. */
  ids?: string[]
}

/**
 * Has the audit trail note a print of what the browser shows already.
 *
 * @throws ApiProblem when it can't be noted
 */
export async function notePrint(note: PrintNote): Promise<void> {
  await callApi(api.students.prints.$post({ json: note }))
}
