import { Plus, X } from 'lucide-react'
import { type ChangeEvent, useState } from 'react'
import type { FieldPath } from 'react-hook-form'
import type { FieldError } from '#shared/problem.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import {
  type CogColumn,
  cogColumnNames,
  cogColumns,
  type MarkScheme,
  markSchemeSchema,
  type PercentScale,
  partPresets,
  proposedScheme,
  type SchemePart,
  scaleFault,
  scalePresets,
  schemeLimits,
} from '#shared/terms/mark-scheme.ts'
import { termLabel } from '#shared/terms/terms.ts'
import type { Term } from '#shared/terms/terms-response.ts'
import { IconButton, SmallButton } from '#web/components/button.tsx'
import { CheckList } from '#web/components/check-line.tsx'
import { FieldErrorText, SelectField, TextAreaField, TextField } from '#web/components/field.tsx'
import { type EditForm, Form, problemsOfSchema } from '#web/components/form.tsx'
import { FormFoot } from '#web/components/form-foot.tsx'
import { useOfficeForm } from '#web/components/record-form.ts'
import { api, callApi } from '#web/lib/api.ts'
import { useFocusAfterRender } from '#web/lib/focus.ts'
import { typedNumber } from '#web/lib/number-texts.ts'
import { newKey } from '#web/lib/older-browsers.ts'
import { useSettings } from '#web/lib/settings.tsx'
import { termsAddress } from './data.ts'

interface PartTexts {
  key: string
  name: string
  weight: string
  top: string
  lowest: string
  column: CogColumn | ''
  /** 'typed', or what is counted of attendance and what an excused day is in it. */
  score: string
}

interface SchemeTexts {
  parts: PartTexts[]
  minimums: { parts: string[]; points: string }[]
  passing: string
  decimals: string
  /** Lines such as '75 3.00'. */
  bounds: string
}

const lowestOptions = [
  { value: '0', label: 'Raw ÷ items × 100' },
  { value: '50', label: 'Raw ÷ items × 50 + 50' },
]

const columnOptions = [
  { value: '', label: 'None' },
  ...cogColumnNames.map((value) => ({ value, label: `${value.toUpperCase()} (${cogColumns[value]}%)` })),
]

const scoreOptions = [
  { value: 'typed', label: 'Typed' },
  ...(['days', 'hours'] as const).flatMap((measure) => [
    { value: `${measure} left out`, label: `Attended ${measure}, excused ones left out` },
    { value: `${measure} attended`, label: `Attended ${measure}, excused ones count as attended` },
    { value: `${measure} absent`, label: `Attended ${measure}, excused ones count as absent` },
  ]),
]

const decimalOptions = [
  { value: '0', label: 'To a whole per cent' },
  { value: '1', label: 'To one decimal' },
  { value: '2', label: 'To two decimals' },
]

const partTexts = ({ weight, top, lowest, column, attendance, ...part }: SchemePart): PartTexts => ({
  ...part,
  weight: String(weight),
  top: String(top),
  lowest: String(lowest),
  column: column ?? '',
  score: attendance ? `${attendance.measure} ${attendance.excused}` : 'typed',
})

const scaleTexts = ({ passing, decimals, bounds }: PercentScale) => ({
  passing: String(passing),
  decimals: String(decimals),
  bounds: bounds.map(({ from, mark }) => `${from} ${mark}`).join('\n'),
})

/** What the schema reads: texts that are no numbers become none. */
function bodyOf({ parts, minimums, passing, decimals, bounds }: SchemeTexts) {
  return {
    parts: parts.map(({ weight, top, lowest, column, score, ...part }) => {
      const [measure, ...excused] = score.split(' ')
      return {
        ...part,
        weight: typedNumber(weight),
        top: typedNumber(top),
        lowest: Number(lowest),
        column: column || null,
        attendance: score === 'typed' ? null : { measure, excused: excused.join(' ') },
      }
    }),
    minimums: minimums.map(({ points, ...minimum }) => ({ ...minimum, points: typedNumber(points) })),
    scale: {
      passing: typedNumber(passing),
      decimals: Number(decimals),
      // Two columns of a spreadsheet can be pasted too.
      bounds: bounds
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean)
        .map((line) => {
          const [from = '', ...mark] = line.split(/[\s=:]+/)
          return { from: typedNumber(from.replace('%', '')), mark: mark.join(' ') }
        }),
    },
  }
}

const fieldOf = (path: string) =>
  path
    .replace(/^scale\.(passing|decimals|bounds).*$/, '$1')
    .replace(/^(parts\.\d+)\.attendance.*$/, '$1.score')
    .replace(/^(minimums\.\d+)\..*$/, '$1.points')

interface SchemeFormProps {
  term: Term
  component: NstpComponent
  scheme: MarkScheme | null
  onClose: () => void
}

/** What a mark is made of. Without a part, marks are typed. */
export function SchemeForm({ term, component, scheme, onClose }: SchemeFormProps) {
  const { marking } = useSettings()
  const { scale, minimums, parts } = scheme ?? proposedScheme(component, marking)
  const schemeOf = (texts: SchemeTexts) => (texts.parts.length === 0 ? null : bodyOf(texts))
  const [seen] = useState(scheme)
  const form = useOfficeForm<SchemeTexts, void>({
    values: {
      ...scaleTexts(scale),
      parts: parts.map(partTexts),
      minimums: minimums.map(({ points, ...minimum }) => ({ ...minimum, points: String(points) })),
    },
    problemsOf(texts): readonly FieldError[] {
      const body = schemeOf(texts)
      if (!body) return []
      const problems = problemsOfSchema(markSchemeSchema, body)
      if (problems.length > 0) return problems.map(({ path, message }) => ({ path: fieldOf(path), message }))
      const fault = scaleFault(markSchemeSchema.parse(body).scale, marking)
      return fault === undefined ? [] : [{ path: 'bounds', message: fault }]
    },
    async send(texts) {
      const body = schemeOf(texts)
      await callApi(
        api.terms[':id']['mark-scheme'].$put({
          param: { id: term.id },
          json: { component, scheme: body && markSchemeSchema.parse(body), seen },
        }),
      )
    },
    topics: ['terms'],
    done: 'Parts saved',
    onDone: onClose,
    staysOpen: ({ search }) => termsAddress.read(search).open === 'parts',
  })
  const fitting = scalePresets.filter((preset) => scaleFault(preset.scale, marking) === undefined)
  return (
    <Form form={form}>
      <p className="text-sm text-muted">
        The parts propose marks of {component}, of both levels, in {termLabel(term)}, and later until they are
        changed. Marks that were entered stay as they are. Without a part, marks are typed.
      </p>
      <Parts form={form} />
      {form.values.parts.length > 0 && (
        <>
          <Minimums form={form} />
          <fieldset className="grid gap-3">
            <legend className="mb-2 font-semibold">From per cent to marks</legend>
            <div className="flex flex-wrap gap-2">
              {fitting.map((preset) => (
                <SmallButton
                  key={preset.name}
                  onClick={() => {
                    const { passing, decimals, bounds } = scaleTexts(preset.scale)
                    form.set('passing', passing)
                    form.set('decimals', decimals)
                    form.set('bounds', bounds)
                  }}
                >
                  {preset.name}
                </SmallButton>
              ))}
            </div>
            <div className="grid items-start gap-4 sm:grid-cols-2">
              <TextField {...form.field('passing')} inputMode="decimal" label="Passing per cent" required />
              <SelectField
                {...form.field('decimals')}
                label="The per cent is rounded"
                options={decimalOptions}
              />
            </div>
            <TextAreaField
              {...form.field('bounds')}
              rows={10}
              label="From which per cent, and the mark"
              hint="A line for each mark, the highest first: 97 1.00. Two columns of a spreadsheet can be pasted. Below the last line its mark holds too."
              required
            />
          </fieldset>
        </>
      )}
      <FormFoot form={form} label="Save parts" onCancel={onClose} />
    </Form>
  )
}

type PartsForm = EditForm<SchemeTexts>

/** A rule of parts is about several fields: each of them takes the sentences of the others away. */
function fieldsOf({ field, form }: PartsForm) {
  return (name: FieldPath<SchemeTexts>) => {
    const own = field(name)
    return {
      ...own,
      async onChange(event: ChangeEvent) {
        await own.onChange(event)
        if (form.formState.isSubmitted) await form.trigger()
      },
    }
  }
}

function Parts({ form }: { form: PartsForm }) {
  const { parts } = form.values
  const focusNext = useFocusAfterRender()
  const field = fieldsOf(form)
  const error = form.errorOf('parts') ?? form.errorOf('parts.root' as 'parts')
  const sum = parts.reduce((total, { weight }) => total + (typedNumber(weight) || 0), 0)
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-2">
        {partPresets.map((preset) => (
          <SmallButton key={preset.name} onClick={() => form.set('parts', preset.parts.map(partTexts))}>
            {preset.name}
          </SmallButton>
        ))}
      </div>
      {parts.map((part, index) => (
        <fieldset key={part.key} className="grid gap-3 rounded-box border p-3 sm:grid-cols-6">
          <legend className="px-1 text-sm font-semibold">{part.name || `Part ${index + 1}`}</legend>
          <TextField {...field(`parts.${index}.name`)} className="sm:col-span-3" label="Name" required />
          <TextField {...field(`parts.${index}.weight`)} inputMode="numeric" label="Weight (%)" required />
          <TextField {...field(`parts.${index}.top`)} inputMode="decimal" label="Top score" required />
          <div className="flex items-end justify-end">
            <IconButton
              label={`Remove ${part.name || `part ${index + 1}`}`}
              className="max-md:size-11"
              icon={X}
              onClick={() => {
                form.set(
                  'parts',
                  parts.filter(({ key }) => key !== part.key),
                )
                focusNext('add-part')
              }}
            />
          </div>
          <SelectField
            {...field(`parts.${index}.lowest`)}
            className="sm:col-span-2"
            label="Per cent"
            options={lowestOptions}
          />
          <SelectField
            {...field(`parts.${index}.score`)}
            className="sm:col-span-2"
            label="Score"
            options={scoreOptions}
          />
          <SelectField
            {...field(`parts.${index}.column`)}
            className="sm:col-span-2"
            label="Column of the COG"
            options={columnOptions}
          />
        </fieldset>
      ))}
      {error && <FieldErrorText id="parts-error">{error}</FieldErrorText>}
      <div className="flex flex-wrap items-center gap-3">
        <SmallButton
          id="add-part"
          icon={Plus}
          disabled={parts.length >= schemeLimits.parts}
          onClick={() => {
            const added = {
              name: '',
              weight: '',
              top: '100',
              lowest: '0',
              column: '',
              score: 'typed',
            } as const
            form.set('parts', [...parts, { key: newKey(), ...added }])
            focusNext(`parts.${parts.length}.name`)
          }}
        >
          Add a part
        </SmallButton>
        {parts.length > 0 && <p className="text-sm text-muted tabular-nums">{sum} of 100 %</p>}
      </div>
    </div>
  )
}

function Minimums({ form }: { form: PartsForm }) {
  const { parts, minimums } = form.values
  const focusNext = useFocusAfterRender()
  const field = fieldsOf(form)
  const nameOf = (key: string) => parts.find((part) => part.key === key)?.name || 'Unnamed part'
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 font-semibold">Minimums</legend>
      <p className="text-sm text-muted">
        Who has fewer points in these parts together fails, whatever the per cent. A part of 20 % gives up to
        20 points.
      </p>
      {minimums.map((minimum, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: minimums have no name, and all fields are controlled by the form
        <div key={index} className="grid gap-2 rounded-box border p-3">
          <div className="flex items-start justify-between gap-3">
            <TextField
              {...field(`minimums.${index}.points`)}
              inputMode="decimal"
              label="Fewest points"
              required
            />
            <IconButton
              label={`Remove minimum ${index + 1}`}
              className="max-md:size-11"
              icon={X}
              onClick={() => {
                form.set(
                  'minimums',
                  minimums.filter((_, at) => at !== index),
                )
                focusNext('add-minimum')
              }}
            />
          </div>
          <CheckList
            name={`minimums.${index}.parts`}
            label="Over"
            offered={parts.map(({ key }) => key)}
            textOf={nameOf}
            chosen={minimum.parts}
            onChoose={(chosen) => form.set(`minimums.${index}.parts`, chosen)}
          />
        </div>
      ))}
      <div>
        <SmallButton
          id="add-minimum"
          icon={Plus}
          disabled={minimums.length >= schemeLimits.minimums}
          onClick={() => {
            form.set('minimums', [...minimums, { parts: [], points: '' }])
            focusNext(`minimums.${minimums.length}.points`)
          }}
        >
          Add a minimum
        </SmallButton>
      </div>
    </fieldset>
  )
}
