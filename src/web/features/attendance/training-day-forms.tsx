import { clsx } from 'clsx'
import { useId } from 'react'
import type { TrainingDay } from '#shared/attendance/attendance-response.ts'
import {
  datesOn,
  type NewTrainingDays,
  newTrainingDaysSchema,
  type TrainingDayEdit,
  trainingDayEditSchema,
  weekdays,
} from '#shared/attendance/training-days.ts'
import { sectionLabel } from '#shared/terms/terms.ts'
import type { Section, Term } from '#shared/terms/terms-response.ts'
import { CheckLine } from '#web/components/check-line.tsx'
import { FieldErrorText, TextField } from '#web/components/field.tsx'
import { Form, problemsOfSchema } from '#web/components/form.tsx'
import { FormFoot } from '#web/components/form-foot.tsx'
import { useOfficeForm } from '#web/components/record-form.ts'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { useLevelNames } from '#web/lib/level-names.ts'
import { countOf, typedNumber } from '#web/lib/number-texts.ts'
import { type AttendanceCell, shortDayOf } from './attendance-data.ts'

interface AboutDay {
  title: string
  startsAt: string
  hours: string
}

function AboutFields({ form }: { form: { field: (name: keyof AboutDay) => object } }) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField {...form.field('startsAt')} name="startsAt" type="time" label="Begins at" />
        <TextField {...form.field('hours')} name="hours" inputMode="decimal" label="Hours" required />
      </div>
      <TextField
        {...form.field('title')}
        name="title"
        label="Title"
        hint="Such as Orientation. It may stay empty."
      />
    </>
  )
}

interface DaysPlan extends AboutDay {
  weekdays: number[]
  /** Dates that were pressed: true is trained on, false is left out. */
  pressed: Record<string, boolean>
  further: string
  isBothLevels: boolean
  sectionIds: string[]
}

const usualPlan: DaysPlan = {
  title: '',
  startsAt: '07:30',
  hours: '4',
  weekdays: [6],
  pressed: {},
  further: '',
  isBothLevels: false,
  sectionIds: [],
}

const plannedDates = (term: Term, { weekdays: chosen, further }: DaysPlan) =>
  [...new Set([...datesOn(term, chosen), ...(further === '' ? [] : [further])])].sort()

/** The dates on which one of the plan's sections trains already: the same form sent again would add each day twice. */
function heldDates(days: readonly TrainingDay[], { isBothLevels, sectionIds }: DaysPlan) {
  const isForAll = isBothLevels || sectionIds.length === 0
  return days
    .filter(
      (day) =>
        isForAll || day.sectionIds.length === 0 || day.sectionIds.some((id) => sectionIds.includes(id)),
    )
    .map(({ heldOn }) => heldOn)
}

function chosenDates(term: Term, days: readonly TrainingDay[], plan: DaysPlan) {
  const held = heldDates(days, plan)
  return plannedDates(term, plan).filter((date) => plan.pressed[date] ?? !held.includes(date))
}

function bodyOf(plan: DaysPlan, { component, level }: AttendanceCell, on: string[]) {
  const { title, startsAt, hours, isBothLevels, sectionIds } = plan
  const whom = isBothLevels ? { level: null, sectionIds: [] } : { level, sectionIds }
  return { component, ...whom, on, title, startsAt, hours: typedNumber(hours) }
}

interface AddDaysProps {
  term: Term
  cell: AttendanceCell
  /** Those that are there already. */
  days: readonly TrainingDay[]
  sections: readonly Section[]
  onClose: () => void
}

export const sendEdit = ({ id, version }: TrainingDay, json: TrainingDayEdit) =>
  callApi(api['training-days'][':id'].$patch({ param: { id }, header: { 'if-match': `"${version}"` }, json }))

const sendDays = (term: Term, json: NewTrainingDays) =>
  callApi(api.terms[':id']['training-days'].$post({ param: { id: term.id }, json }))

export function AddDaysForm({ term, cell, days, sections, onClose }: AddDaysProps) {
  const { cellName } = useLevelNames()
  const form = useOfficeForm<DaysPlan, { items: readonly TrainingDay[] }>({
    values: usualPlan,
    problemsOf: (plan) =>
      problemsOfSchema(newTrainingDaysSchema, bodyOf(plan, cell, chosenDates(term, days, plan))).map(
        (problem) =>
          // The days follow from the weekdays.
          /^on\b/.test(problem.path) ? { ...problem, path: 'weekdays' } : problem,
      ),
    controlId: (path) => (/^(on\b|weekdays$)/.test(path) ? 'weekday-6' : path),
    send: (plan) =>
      sendDays(term, newTrainingDaysSchema.parse(bodyOf(plan, cell, chosenDates(term, days, plan)))),
    topics: ['attendance'],
    done: ({ items }) => `${countOf(items.length, 'training day')} added`,
    onDone: onClose,
  })
  const { weekdays: chosen, pressed, isBothLevels, sectionIds } = form.values
  const dates = plannedDates(term, form.values)
  const held = heldDates(days, form.values)
  const on = chosenDates(term, days, form.values)
  return (
    <Form form={form}>
      <Toggles
        legend="Weekdays"
        ids="weekday"
        error={form.errorOf('weekdays')}
        options={weekdays.map((label, day) => ({ value: day, label }))}
        chosen={chosen}
        onChoose={(days) => form.set('weekdays', days)}
      />
      <TextField
        {...form.field('further')}
        type="date"
        label="One more day"
        hint="It may be of any weekday."
      />
      <Toggles
        legend={`${countOf(on.length, 'day')} in the term`}
        hint={
          dates.some((date) => held.includes(date))
            ? 'Press the days that are left out, such as holidays. Dates that have a training day are left out; press one to add another.'
            : 'Press the days that are left out, such as holidays.'
        }
        options={dates.map((value) => ({ value, label: shortDayOf(value) }))}
        chosen={on}
        onChoose={(now) => {
          const changed = dates.filter((date) => on.includes(date) !== now.includes(date))
          form.set('pressed', {
            ...pressed,
            ...Object.fromEntries(changed.map((date) => [date, now.includes(date)])),
          })
        }}
      />
      <AboutFields form={form} />
      <CheckLine checked={isBothLevels} onChange={(isBoth) => form.set('isBothLevels', isBoth)}>
        Both levels train together, not only {cellName(cell)}
      </CheckLine>
      {!isBothLevels && sections.length > 1 && (
        <Toggles
          legend="Sections"
          hint={sectionIds.length === 0 ? 'None selected: all sections.' : undefined}
          options={sections.map((section) => ({ value: section.id, label: sectionLabel(section) }))}
          chosen={sectionIds}
          onChoose={(ids) => form.set('sectionIds', ids)}
        />
      )}
      <FormFoot form={form} label="Add training days" onCancel={onClose} />
    </Form>
  )
}

interface TogglesProps<T extends string | number> {
  legend: string
  /** The ids of the buttons begin with it. */
  ids?: string
  hint?: string | undefined
  error?: string | undefined
  options: readonly { value: T; label: string }[]
  chosen: readonly T[]
  onChoose: (values: T[]) => void
}

function Toggles<T extends string | number>(props: TogglesProps<T>) {
  const { legend, ids, hint, error, options, chosen, onChoose } = props
  const values = options.map(({ value }) => value)
  const errorId = useId()
  return (
    <fieldset aria-describedby={error && errorId}>
      <legend className="text-sm font-semibold">{legend}</legend>
      {hint && <p className="text-sm text-muted">{hint}</p>}
      <div className="mt-1.5 flex flex-wrap gap-1.5">
        {options.map(({ value, label }) => {
          const isChosen = chosen.includes(value)
          return (
            <button
              key={value}
              id={ids && `${ids}-${value}`}
              type="button"
              aria-pressed={isChosen}
              onClick={() =>
                onChoose(values.filter((one) => (one === value ? !isChosen : chosen.includes(one))))
              }
              className={clsx(
                'min-h-9 rounded-box border px-2.5 text-sm',
                isChosen ? 'border-primary bg-primary-soft font-semibold' : 'text-muted hover:bg-soft',
              )}
            >
              {label}
            </button>
          )
        })}
      </div>
      {error && <FieldErrorText id={errorId}>{error}</FieldErrorText>}
    </fieldset>
  )
}

type OneDay = AboutDay & Pick<TrainingDay, 'heldOn'>

/** A day that is changed, or for which a make-up day is added. */
export interface ChangedDay {
  day: TrainingDay
  isMakeUp: boolean
}

interface DayFormProps extends ChangedDay {
  term: Term
  /** It is called when the day has another date or time. */
  onMoved: (day: TrainingDay, before: TrainingDay) => void
  onClose: () => void
}

export function DayForm({ day, isMakeUp, term, onMoved, onClose }: DayFormProps) {
  const isCancelled = !isMakeUp && day.state === 'cancelled'
  const editOf = (values: OneDay) => ({ ...values, hours: typedNumber(values.hours), isCancelled })
  const { heldOn, title, startsAt, hours } = day
  const form = useOfficeForm<OneDay, TrainingDay | null>({
    values: {
      heldOn: isMakeUp ? '' : heldOn,
      title: isMakeUp ? '' : title,
      startsAt,
      hours: String(hours),
    },
    problemsOf: (values) => problemsOfSchema(trainingDayEditSchema, editOf(values)),
    controlId: (path) => (path === 'on' ? 'heldOn' : path),
    async send(values) {
      const edit = trainingDayEditSchema.parse(editOf(values))
      const { component, level, sectionIds, id: replacesId } = day
      const { isCancelled: _, heldOn, ...about } = edit
      if (!isMakeUp) return await sendEdit(day, edit)
      await sendDays(term, { component, level, sectionIds, on: [heldOn], ...about, replacesId })
      return null
    },
    topics: ['attendance'],
    onDone(changed) {
      const isMoved = changed && (changed.heldOn !== heldOn || changed.startsAt !== startsAt)
      if (isMoved && !isCancelled) onMoved(changed, day)
      else showToast('success', isMakeUp ? 'Make-up day added' : 'Changes saved')
      onClose()
    },
  })
  return (
    <Form form={form}>
      {isMakeUp && <p className="text-sm text-muted">It counts only for who attends it.</p>}
      <TextField {...form.field('heldOn')} type="date" label="Day" required />
      <AboutFields form={form} />
      <FormFoot form={form} label={isMakeUp ? 'Add make-up day' : 'Save changes'} onCancel={onClose} />
    </Form>
  )
}
