import { queryOptions } from '@tanstack/react-query'
import { parseAsStringLiteral } from 'nuqs/server'
import type { TrainingDay } from '#shared/attendance/attendance-response.ts'
import { type NstpComponent, nstpComponents } from '#shared/students/student-choices.ts'
import type { Level } from '#shared/terms/terms.ts'
import type { Term } from '#shared/terms/terms-response.ts'
import { createAddress, parseAsId } from '#web/lib/address.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, reading } from '#web/lib/api.ts'
import { instantTexts } from '#web/lib/date-texts.ts'
import { dateOf } from '#web/lib/relative-time.ts'

const levelTexts = ['1', '2'] as const

export const noSection = 'none'

export const attendanceAddress = createAddress(tabPath('terms', { pane: 'attendance' }), {
  term: parseAsId,
  component: parseAsStringLiteral(nstpComponents),
  level: parseAsStringLiteral(levelTexts),
  view: parseAsStringLiteral(['roll', 'days'] as const).withDefault('roll'),
  /** The section whose attendance is shown. */
  rollOf: parseAsId,
  /** The day of the roll on a phone. */
  day: parseAsId,
  /** Only students who are near or over the limit, of all sections. */
  standing: parseAsStringLiteral(['all', 'near', 'over'] as const).withDefault('all'),
})

export type AttendanceAddress = ReturnType<typeof attendanceAddress.read>

/** One component and level of a term. */
export interface AttendanceCell {
  component: NstpComponent
  level: Level
  withoutSection: number
}

export interface AttendancePaneProps {
  term: Term
  cell: AttendanceCell
}

export const levelTextOf = (level: Level): (typeof levelTexts)[number] => (level === 1 ? '1' : '2')

export const daysQuery = (term: Term, component: NstpComponent) =>
  queryOptions({
    queryKey: ['attendance', 'days', term.id, component],
    queryFn: reading(api.terms[':id']['training-days'].$get, {
      param: { id: term.id },
      query: { component },
    }),
  })

interface GridChoice {
  section: string
  standing: AttendanceAddress['standing']
}

export const gridQuery = (
  term: Term,
  { component, level }: AttendanceCell,
  { section, standing }: GridChoice,
) =>
  queryOptions({
    queryKey: ['attendance', 'grid', term.id, component, level, section, standing],
    // The grid has names, and who is in which section.
    meta: { topics: ['students', 'terms'] },
    queryFn: reading(api.terms[':id'].attendance.$get, {
      param: { id: term.id },
      query: { component, level: levelTextOf(level), section, standing },
    }),
  })

const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' })

/** 'Sat' of a date without a time zone. */
export const weekdayOf = (date: string) => weekday.format(Date.parse(`${date}T00:00:00Z`))

const shortDay = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})

/** 'Sat, Aug 8'. */
export const shortDayOf = (date: string) => shortDay.format(Date.parse(`${date}T00:00:00Z`))

/** '7:30 AM' of '07:30', '' of ''. */
export const clockTimeOf = (time: string): string =>
  time === '' ? '' : instantTexts('UTC').timeOf(`2000-01-01T${time}Z`)

export function dayName({ heldOn, title }: Pick<TrainingDay, 'heldOn' | 'title'>): string {
  return `${weekdayOf(heldOn)}, ${dateOf(heldOn)}${title === '' ? '' : ` · ${title}`}`
}
