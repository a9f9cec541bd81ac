import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ImportListedPerson, ImportRow } from '#shared/imports/import-response.ts'
import { type ImportField, matchWords } from '#shared/imports/imports.ts'
import type { MatchedBy } from '#shared/imports/match-people.ts'
import { maxSearchLength } from '#shared/students/students.ts'
import { sectionLabel } from '#shared/terms/terms.ts'
import { Badge } from '#web/components/badge.tsx'
import { Button, SmallButton } from '#web/components/button.tsx'
import { Hint } from '#web/components/hint.tsx'
import { Modal } from '#web/components/modal.tsx'
import { SearchBox } from '#web/components/search-box.tsx'
import { LoadedPart } from '#web/components/tab-frame.tsx'
import { api, reading } from '#web/lib/api.ts'
import { factsText } from '#web/lib/facts-text.ts'
import { useLevelNames } from '#web/lib/level-names.ts'
import {
  changeRow,
  RowFix,
  type RowProps,
  rowWords,
  StudentLink,
  tones,
  uniqueFields,
} from './check-step.tsx'
import { listTexts } from './imports-data.ts'

const matchedTexts: Readonly<Record<MatchedBy, string>> = {
  number: 'by student ID',
  'name and birth date': 'by name and date of birth',
  name: 'by name',
  hand: 'chosen by hand',
}

/** What a list enters: a value that can't be entered is typed anew in its row. */
const enteredFields: readonly ImportField[] = ['mark', 'serialNumber']

/** What the list says, and whom of the term it means. */
export function ListRow({ row, details, action, onSettled }: RowProps) {
  const { number, state, person, candidates, problems, matches } = row
  const [isSearching, setSearching] = useState(false)
  const name = nameOf(row)
  const isOpen = details.state === 'checked'
  const isUnsure = state === 'problem' || state === 'unmatched' || person?.matchedBy === 'hand'
  const typed =
    isOpen && state === 'problem'
      ? uniqueFields(problems).filter((field) => enteredFields.includes(field))
      : []
  const ofRow = <span className="sr-only"> row {number}</span>

  const change = (decision: { skip: boolean } | { take: true } | { studentId: string }) =>
    action.run({
      whatFailed: `Failed to change row ${number}`,
      async send() {
        const changed = await changeRow(details.id, number, decision)
        setSearching(false)
        settle(changed)
      },
    })

  function settle(changed: ImportRow) {
    if (changed.state !== state) onSettled(`Row ${number}, ${name}: ${rowWords[changed.state].badge}.`)
  }

  return (
    <li className="grid gap-x-6 gap-y-2 px-4 py-3 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.4fr)_auto] lg:items-center">
      <div className="min-w-0">
        <p className="font-semibold wrap-anywhere">
          <span className="text-muted">Row {number} · </span>
          {name}
        </p>
        <Hint className="wrap-anywhere">{detailsOf(row)}</Hint>
      </div>
      <div className="min-w-0 text-sm">
        {person && (
          <p className="wrap-anywhere">
            <Person person={person} /> <span className="text-muted">({matchedTexts[person.matchedBy]})</span>
          </p>
        )}
        {problems
          .filter(({ path }) => !typed.includes(path))
          .map(({ path, message }) => (
            <p key={path}>{message}</p>
          ))}
        {typed.length > 0 && <RowFix row={row} details={details} fields={typed} onSaved={settle} />}
        {matches.map(({ by, row: earlier }) => (
          <p key={earlier}>
            The same {by.map((way) => matchWords[way]).join(' and ')} as row {earlier}.
          </p>
        ))}
        {candidates.map((candidate) => (
          <p key={candidate.studentId} className="flex flex-wrap items-center gap-x-3 gap-y-1 wrap-anywhere">
            <Person person={candidate} />
            {isOpen && (
              <SmallButton
                disabled={action.isPending}
                onClick={() => change({ studentId: candidate.studentId })}
              >
                Same person
                <span className="sr-only">: {candidate.name}</span>
                {ofRow}
              </SmallButton>
            )}
          </p>
        ))}
      </div>
      <div className="flex flex-wrap items-center gap-2 lg:justify-end">
        <Badge tone={tones[state]}>{rowWords[state].badge}</Badge>
        {isOpen && (
          <>
            {state === 'differs' && (
              <SmallButton disabled={action.isPending} onClick={() => change({ take: true })}>
                {listTexts(details, 1).allTheSame}
                {ofRow}
              </SmallButton>
            )}
            {isUnsure && details.termId && (
              <Button variant="ghost" size="sm" onClick={() => setSearching(true)}>
                Another…{ofRow}
              </Button>
            )}
            {state !== 'unchanged' && (
              <SmallButton disabled={action.isPending} onClick={() => change({ skip: state !== 'skipped' })}>
                {state === 'skipped' ? "Don't skip" : 'Skip'}
                {ofRow}
              </SmallButton>
            )}
          </>
        )}
      </div>
      <Modal open={isSearching} onClose={() => setSearching(false)} title={`Who is row ${number}, ${name}?`}>
        {details.termId && (
          <StudentSearch
            termId={details.termId}
            isBusy={action.isPending}
            onChoose={(studentId) => change({ studentId })}
          />
        )}
      </Modal>
    </li>
  )
}

function nameOf({ values }: ImportRow): string {
  const given = [values.firstName, values.middleName, values.extensionName].filter(Boolean).join(' ')
  return [values.lastName, given].filter(Boolean).join(', ') || values.fullName || 'No name'
}

function detailsOf({
  values: { studentId, dateOfBirth, nstpComponent, course, mark, serialNumber },
}: ImportRow): string {
  return factsText(studentId, dateOfBirth, nstpComponent, course, mark && `Mark ${mark}`, serialNumber)
}

function Person({ person }: { person: ImportListedPerson }) {
  const { cellName } = useLevelNames()
  const { studentId, name, number, section, mark } = person
  return (
    <>
      <StudentLink id={studentId}>{name}</StudentLink>{' '}
      {factsText(number, cellName(person), section, mark && `mark now ${mark}`)}
    </>
  )
}

interface StudentSearchProps {
  termId: string
  isBusy: boolean
  onChoose: (studentId: string) => void
}

/** Among those who are enrolled in the term. */
function StudentSearch({ termId, isBusy, onChoose }: StudentSearchProps) {
  const [search, setSearch] = useState('')
  const { cellName } = useLevelNames()
  const found = useQuery({
    queryKey: ['terms', 'enrolments', termId, 'of-row', search],
    queryFn: reading(api.terms[':id'].enrolments.$get, {
      param: { id: termId },
      query: { search, pageSize: '10' },
    }),
    enabled: search !== '',
  })
  return (
    <div className="grid gap-4">
      <SearchBox
        id="list-student"
        placeholder="Name or student ID"
        mostLetters={maxSearchLength}
        value={search}
        onSearch={setSearch}
      />
      {search !== '' && (
        <LoadedPart query={found} what="the students" lines={3} className="h-11">
          {({ items }) =>
            items.length === 0 ? (
              <p className="text-muted">Nobody of the term is found.</p>
            ) : (
              <ul className="divide-y divide-line">
                {items.map(({ id, student, section, ...cell }) => (
                  <li key={id} className="flex flex-wrap items-center justify-between gap-3 py-2">
                    <span className="min-w-0 text-sm wrap-anywhere">
                      {student.lastName}, {student.firstName} {student.middleName} {student.extensionName}
                      <span className="block text-muted">
                        {factsText(student.studentId, cellName(cell), section && sectionLabel(section))}
                      </span>
                    </span>
                    <SmallButton disabled={isBusy} onClick={() => onChoose(student.id)}>
                      Same person
                      <span className="sr-only">
                        : {student.lastName}, {student.firstName}
                      </span>
                    </SmallButton>
                  </li>
                ))}
              </ul>
            )
          }
        </LoadedPart>
      )}
    </div>
  )
}
