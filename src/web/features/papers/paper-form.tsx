import {
  defaultOptions,
  newPaperSchema,
  type PaperOptions,
  paperEditSchema,
  paperMessages,
} from '#shared/papers/papers.ts'
import type { LayoutItem, Paper } from '#shared/papers/papers-response.ts'
import type { FieldError } from '#shared/problem.ts'
import { currentAcademicYear } from '#shared/settings/settings.ts'
import { type NstpComponent, nstpComponents } from '#shared/students/student-choices.ts'
import { termLabel } from '#shared/terms/terms.ts'
import type { Term } from '#shared/terms/terms-response.ts'
import { CheckLine, CheckList } from '#web/components/check-line.tsx'
import { isHalfTyped, SelectField, TextField } from '#web/components/field.tsx'
import { Form, problemsOfSchema } from '#web/components/form.tsx'
import { FormFoot } from '#web/components/form-foot.tsx'
import { Hint } from '#web/components/hint.tsx'
import { useOfficeForm, useRecordForm } from '#web/components/record-form.ts'
import { useAccount } from '#web/lib/account.ts'
import { api, callApi, ifMatch } from '#web/lib/api.ts'
import { useToday } from '#web/lib/date-texts.ts'
import { levelOf } from '#web/lib/level-names.ts'
import { sendOwn } from '#web/lib/live.ts'
import { dateOf } from '#web/lib/relative-time.ts'
import { useSettings } from '#web/lib/settings.tsx'
import { isFormClosed, papersAddress, readPaper } from './data.ts'

interface PaperValues {
  layout: string
  academicYear: string
  termId: string
  components: readonly NstpComponent[]
  options: PaperOptions
  dueOn: string
  title: string
  note: string
}

interface MakePaperFormProps {
  layouts: readonly LayoutItem[]
  terms: readonly Term[]
  onMade: (paper: Paper) => void
  onClose: () => void
}

export function MakePaperForm({ layouts, terms, onMade, onClose }: MakePaperFormProps) {
  const settings = useSettings()
  const { includes } = useAccount()
  const today = useToday()
  const componentsOf = (code: string) =>
    layouts.find((one) => one.code === code)?.components.filter((name) => includes(name)) ?? []
  const proposedOf = (code: string) => {
    const { isOfOneComponent = false } = layouts.find((one) => one.code === code) ?? {}
    return isOfOneComponent ? componentsOf(code).slice(0, 1) : componentsOf(code)
  }
  const [first] = layouts
  const bodyOf = ({ termId, dueOn, components, ...values }: PaperValues) => ({
    ...values,
    components: [...components],
    termId: termId === '' ? null : termId,
    dueOn: dueOn === '' ? null : dueOn,
  })
  const form = useOfficeForm<PaperValues, Paper>({
    topics: ['papers'],
    values: {
      layout: first?.code ?? '',
      academicYear: currentAcademicYear(settings, today),
      termId: '',
      components: proposedOf(first?.code ?? ''),
      options: defaultOptions,
      dueOn: '',
      title: '',
      note: '',
    },
    problemsOf(values) {
      const { takesTerm = false } = layouts.find(({ code }) => code === values.layout) ?? {}
      const problems = withHalfTypedDue(problemsOfSchema(newPaperSchema, bodyOf(values)))
      return takesTerm && values.termId === ''
        ? [...problems, { path: 'termId', message: paperMessages.term }]
        : problems
    },
    staysOpen: ({ search }) => papersAddress.read(search).open === 'make',
    send: (values) =>
      sendOwn('papers', () => callApi(api.papers.$post({ json: newPaperSchema.parse(bodyOf(values)) }))),
    onDone: onMade,
  })
  const { values } = form
  const layout = layouts.find(({ code }) => code === values.layout)
  const years = [...new Set([...settings.academicYears, values.academicYear])].filter(Boolean)
  return (
    <Form form={form} closesTo={isFormClosed}>
      <SelectField
        name="layout"
        label="Paper"
        options={layouts.map(({ code, title }) => ({ value: code, label: title }))}
        value={values.layout}
        error={form.errorOf('layout')}
        onChange={({ target }) => {
          form.set('layout', target.value)
          form.set('components', proposedOf(target.value))
          form.set('options', defaultOptions)
          form.set('termId', '')
        }}
      />
      {layout && <Hint>{layout.agency}</Hint>}
      <SelectField
        name="academicYear"
        label="Academic year"
        options={years}
        value={values.academicYear}
        error={form.errorOf('academicYear')}
        onChange={({ target }) => {
          form.set('academicYear', target.value)
          form.set('termId', '')
        }}
      />
      {layout?.takesTerm && (
        <SelectField
          {...form.field('termId')}
          label="Term"
          options={terms
            .filter(({ academicYear }) => academicYear === values.academicYear)
            .map((term) => ({ value: term.id, label: termLabel(term) }))}
          placeholder="Please choose"
        />
      )}
      <PaperFields form={form} layout={layout} />
      <FormFoot form={form} label="Make paper" onCancel={onClose} />
    </Form>
  )
}

type FieldsOf = Pick<PaperValues, 'components' | 'options' | 'dueOn' | 'title' | 'note'>

interface PaperFieldsProps {
  form: {
    values: FieldsOf
    set: {
      (name: 'components', value: readonly NstpComponent[]): void
      (name: 'options', value: PaperOptions): void
    }
    field: (name: 'dueOn' | 'title' | 'note') => { name: string; error: string | undefined }
    errorOf: (name: 'components') => string | undefined
  }
  layout: LayoutItem | undefined
}

const optionTexts = {
  listsRotc: {
    label: 'List ROTC too',
    hint: 'Without it ROTC students are counted in the Summary, and not listed by name: their own lists go to the military.',
  },
  ofGraduates: {
    label: 'List the graduates',
    hint: 'Without it those who are enrolled are listed.',
  },
} as const

/** The fields of a new paper and of a draft. */
function PaperFields({ form, layout }: PaperFieldsProps) {
  const { includes } = useAccount()
  const { components, options } = form.values
  const offered = nstpComponents.filter((name) => layout?.components.includes(name) && includes(name))
  return (
    <>
      <CheckList
        name="components"
        label={fieldLabels.components}
        error={form.errorOf('components')}
        isOne={layout?.isOfOneComponent ?? false}
        offered={offered}
        chosen={components}
        onChoose={(chosen) => form.set('components', chosen)}
      />
      {layout?.takesLevel && (
        <SelectField
          name="level"
          label="Level"
          options={[
            { value: '1', label: 'NSTP 1' },
            { value: '2', label: 'NSTP 2' },
          ]}
          value={String(options.level)}
          onChange={({ target }) => form.set('options', { ...options, level: levelOf(target.value) })}
        />
      )}
      {layout?.options
        .filter((name) => name !== 'listsRotc' || components.includes('ROTC'))
        .map((name) => (
          <div key={name}>
            <CheckLine
              describedBy={`${name}-hint`}
              checked={options[name]}
              onChange={(isOn) => form.set('options', { ...options, [name]: isOn })}
            >
              {optionTexts[name].label}
            </CheckLine>
            <Hint id={`${name}-hint`} className="pl-7">
              {optionTexts[name].hint}
            </Hint>
          </div>
        ))}
      <TextField {...form.field('dueOn')} type="date" label="Due" />
      <TextField {...form.field('title')} label="Title" placeholder={layout?.title} />
      <TextField {...form.field('note')} label="Note" />
    </>
  )
}

function withHalfTypedDue(problems: FieldError[]): FieldError[] {
  return isHalfTyped('dueOn') ? [...problems, { path: 'dueOn', message: paperMessages.dueOn }] : problems
}

const fieldLabels = {
  components: 'Components',
  options: 'Options',
  dueOn: 'Due',
  title: 'Title',
  note: 'Note',
}

const fieldsOf = ({ components, options, dueOn, title, note }: Paper): FieldsOf => ({
  components,
  options,
  dueOn: dueOn ?? '',
  title,
  note,
})

interface EditPaperFormProps {
  paper: Paper
  layout: LayoutItem | undefined
  onClose: () => void
}

export function EditPaperForm({ paper, layout, onClose }: EditPaperFormProps) {
  const bodyOf = ({ dueOn, components, ...values }: FieldsOf) => ({
    ...values,
    components: [...components],
    dueOn: dueOn === '' ? null : dueOn,
  })
  const form = useRecordForm({
    topics: ['papers'],
    stored: paper,
    what: 'paper',
    labels: fieldLabels,
    textOf(name, { components, options, dueOn, title, note }) {
      const chosen = layout?.options
        .filter((option) => options[option])
        .map((option) => optionTexts[option].label)
      return {
        components: components.join(', '),
        options: [...(layout?.takesLevel ? [`NSTP ${options.level}`] : []), ...(chosen ?? [])].join(', '),
        dueOn: dateOf(dueOn),
        title,
        note,
      }[name]
    },
    valuesOf: fieldsOf,
    read: () => readPaper(paper.id),
    missing: paperMessages.missing,
    problemsOf: (values) => withHalfTypedDue(problemsOfSchema(paperEditSchema, bodyOf(values))),
    staysOpen: ({ search }) => papersAddress.read(search).open === 'edit',
    send: (values, { version }) =>
      sendOwn('papers', () =>
        callApi(
          api.papers[':id'].$patch({
            param: { id: paper.id },
            header: ifMatch(version),
            json: paperEditSchema.parse(bodyOf(values)),
          }),
        ),
      ),
    done: 'Changes saved',
    onDone: onClose,
  })
  return (
    <Form form={form} closesTo={isFormClosed}>
      <PaperFields form={form} layout={layout} />
      <FormFoot form={form} label="Save changes" onCancel={onClose} />
    </Form>
  )
}
