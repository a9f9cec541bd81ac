import { useQuery } from '@tanstack/react-query'
import { parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { useLocation } from 'react-router'
import type { ImportDetails, ImportRowPage, ImportSummary } from '#shared/imports/import-response.ts'
import {
  type ImportPurpose,
  type ImportState,
  importRowStates,
  type ListPurposeName,
  termListPurposes,
} from '#shared/imports/imports.ts'
import type { BadgeTone } from '#web/components/badge.tsx'
import { createAddress, parseAsPage } from '#web/lib/address.ts'
import { screensOfLists, tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi, orNull } from '#web/lib/api.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { pollWhile, useAction } from '#web/lib/query.ts'
import { dateOf } from '#web/lib/relative-time.ts'
import { termsQuery } from '#web/lib/terms.ts'

/** The server stores the step; the address names the import, and of a list the screen whose list it is. */
export const importAddress = createAddress(tabPath('import'), {
  import: parseAsString,
  of: parseAsStringLiteral(screensOfLists),
  step: parseAsStringLiteral(['columns']),
  rows: parseAsStringLiteral(importRowStates),
  page: parseAsPage(999_999),
})

const screenOfList = { registrar: 'terms', marks: 'terms', serials: 'papers', students: null } as const

export const importPath = (
  { id, purpose }: Pick<ImportSummary, 'id' | 'purpose'>,
  place: Partial<ReturnType<typeof importAddress.read>> = {},
) => importAddress.to({ import: id, of: screenOfList[purpose], ...place })

export const importKey = (id: string) => ['imports', id] as const

/** Reads an import. The data are null if it no longer exists. */
export function useImport(id: string) {
  return useQuery({
    queryKey: importKey(id),
    meta: { topics: ['settings'] },
    queryFn: ({ signal }) =>
      orNull(callApi(api.imports[':id'].$get({ param: { id } }, { init: { signal } }))),
    refetchInterval: (query) => pollWhile(query, (details) => Boolean(details?.progress), 3_000),
  })
}

/** Undefined until the terms are loaded, and for a file of students. */
export function useTermOf({ termId: id }: Pick<ImportDetails, 'termId'>) {
  const { data } = useQuery({ ...termsQuery, enabled: id !== null })
  return data?.find((one) => one.id === id)
}

/** The rows that are shown first: what must be answered, what is done, and only then what has no place here. */
const pressing = ['problem', 'duplicate', 'differs', 'ready', 'unmatched'] as const

export function useImportRows({ id, counts }: ImportDetails) {
  const { rows, page } = importAddress.read(useLocation().search)
  const mostPressing = pressing.find((state) => counts[state] > 0) ?? 'ready'
  const filter = rows ?? mostPressing
  async function load(page: number, signal: AbortSignal): Promise<ImportRowPage> {
    const query = { state: filter, page: String(page) }
    const found = await callApi(api.imports[':id'].rows.$get({ param: { id }, query }, { init: { signal } }))
    const lastPage = Math.max(1, Math.ceil(found.total / found.pageSize))
    // Corrected rows leave the list, so their page may no longer exist.
    return page > lastPage ? await load(lastPage, signal) : found
  }
  const query = useQuery({
    queryKey: ['imports', id, 'rows', filter, page],
    queryFn: ({ signal }) => load(page, signal),
    // Another page of the same rows; other rows appear with their own filter.
    placeholderData: (last, lastQuery) => (lastQuery?.queryKey[3] === filter ? last : undefined),
  })
  return { filter, query }
}

export type ImportAction = ReturnType<typeof useImportAction>

/** Anything done with the open import. `whatFailed` comes before the reason of a failure. */
export function useImportAction() {
  return useAction({
    topics: ['imports', 'students', 'terms'],
    mutationFn: ({ send }: { whatFailed: string; send: () => Promise<unknown> }) => send(),
  })
}

const stateTexts: Record<ImportState, { label: string; tone: BadgeTone }> = {
  uploaded: { label: 'Waiting for columns', tone: 'neutral' },
  checking: { label: 'Being checked', tone: 'info' },
  checked: { label: 'Checked', tone: 'info' },
  importing: { label: 'Being imported', tone: 'info' },
  imported: { label: 'Imported', tone: 'success' },
  undone: { label: 'Undone', tone: 'warning' },
}

export function stateText({
  state,
  purpose,
  updateBy,
}: Pick<ImportSummary, 'state' | 'purpose' | 'updateBy'>) {
  const text = stateTexts[state]
  const isList = purpose !== 'students'
  if (!updateBy && !isList) return text
  if (state === 'imported') return { ...text, label: isList ? 'Applied' : 'Updated' }
  return state === 'importing' ? { ...text, label: isList ? 'Being applied' : 'Being updated' } : text
}

/** The students of an import, or what a list says of those of a term. `file` is the label of its upload. */
export const purposeTexts: Readonly<Record<ImportPurpose, { title: string; about: string; file: string }>> = {
  students: {
    title: 'Import Students',
    file: 'File to import',
    about: 'Excel (.xlsx) or CSV file with one student per row, or the old system’s JSON export.',
  },
  registrar: {
    title: 'Registrar’s List',
    file: 'List to compare',
    about:
      'Excel (.xlsx) or CSV file with one student per row. Who is on it and in the term becomes official.',
  },
  marks: {
    title: 'Import Marks',
    file: 'File with marks',
    about: 'Excel (.xlsx) or CSV file with one student per row, with the mark in a column.',
  },
  serials: {
    title: 'Serial Numbers',
    file: 'File with serial numbers',
    about: 'The workbook as it came back, or an Excel (.xlsx) or CSV file with one student per row.',
  },
}

interface ListTexts {
  toApply: string
  applied: string
  // The words for what the undo takes back.
  effect: string
  // The label of the button that takes a row although it says another component.
  allTheSame: string
}

/** @param count the students who are, or were, changed */
export function listTexts({ purpose }: Pick<ImportSummary, 'purpose'>, count: number): ListTexts {
  if (purpose === 'marks' || purpose === 'serials') {
    const values = countOf(count, purpose === 'marks' ? 'mark' : 'serial number')
    return {
      toApply: `${values} ${count === 1 ? 'is' : 'are'} entered. Nothing else changes.`,
      applied: `${values} ${count === 1 ? 'was' : 'were'} entered.`,
      effect: `${values} entered`,
      allTheSame: purpose === 'marks' ? 'Enter all the same' : 'Take all the same',
    }
  }
  const students = countOf(count, 'student')
  return {
    toApply: `${students} ${count === 1 ? 'becomes' : 'become'} official. Nothing else changes.`,
    applied: `${students} became official.`,
    effect: `that ${students} became official`,
    allTheSame: 'Official all the same',
  }
}

/** The kind of list that an uploaded file is, with its term or paper. */
export interface ListOfFile {
  purpose: ListPurposeName
  term?: string
  paper?: string
}

/** The address says which list of a term is shown. */
export const listsAddress = createAddress(tabPath('terms'), { list: parseAsStringLiteral(termListPurposes) })

export const listsPath = (term: string, purpose: ImportPurpose) =>
  tabPath('terms', { pane: 'lists', term, list: purpose })

/** How a list came, in parts. */
export function receivedTexts({
  purpose,
  reference,
  receivedOn,
}: Pick<ImportSummary, 'purpose' | 'reference' | 'receivedOn'>) {
  const why = purpose === 'marks' && reference ? `Reason: ${reference}` : reference
  return [why, receivedOn && `received ${dateOf(receivedOn)}`].filter(Boolean)
}

export function resultText({ purpose, updateBy }: Pick<ImportSummary, 'purpose' | 'updateBy'>) {
  if (purpose === 'serials') return { noun: 'serial number', verb: 'Apply', done: 'entered' } as const
  if (purpose === 'marks') return { noun: 'mark', verb: 'Apply', done: 'entered' } as const
  if (purpose !== 'students') return { noun: 'student', verb: 'Apply', done: 'official' } as const
  return updateBy
    ? ({ noun: 'record', verb: 'Update', done: 'updated' } as const)
    : ({ noun: 'student', verb: 'Import', done: 'imported' } as const)
}
