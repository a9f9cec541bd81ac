import { useQuery } from '@tanstack/react-query'
import {
  defaultOptions,
  newPaperSchema,
  type PaperOptions,
  paperEditSchema,
  paperMessages,
} from '#shared/papers/papers.ts'
import type { LayoutItem, Paper } from '#shared/papers/papers-response.ts'
import type { FieldError } from '#shared/problem.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { currentAcademicYear } from '#shared/settings/settings.ts'
import { type NstpComponent, nstpComponents } from '#shared/students/student-choices.ts'
import { termLabel } from '#shared/terms/terms.ts'
import { FieldErrorText, isHalfTyped, SelectField, TextField } from '#web/components/field.tsx'
import { Form, problemsOfSchema, useEditForm } from '#web/components/form.tsx'
import { FormFoot } from '#web/components/form-foot.tsx'
import { Modal, ModalOf } from '#web/components/modal.tsx'
import { Loading } from '#web/components/tab-frame.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { useAccount } from '#web/lib/account.ts'
import { api, callApi } from '#web/lib/api.ts'
import { useProgramTimeZone } from '#web/lib/date-texts.ts'
import { sendOwn } from '#web/lib/live.ts'
import { useReadAgain } from '#web/lib/query.ts'
import { dateOf } from '#web/lib/relative-time.ts'
import { useSettings } from '#web/lib/settings.tsx'
import { termsQuery } from '#web/lib/terms.ts'
import { isFormClosed, layoutsQuery, papersAddress, readPaper, seenVersion } from './data.ts'

interface MakePaperModalProps {
  isOpen: boolean
  onMade: (paper: Paper) => void
  onClose: () => void
}

export function MakePaperModal({ isOpen, ...props }: MakePaperModalProps) {
  const layouts = useQuery({ ...layoutsQuery, enabled: isOpen })
  const terms = useQuery({ ...termsQuery, enabled: isOpen })
  return (
    <Modal open={isOpen} onClose={props.onClose} size="sm" title="Make a paper">
      {layouts.data && terms.data ? (
        <MakePaperForm
          layouts={layouts.data}
          terms={terms.data.map((term) => ({
            value: term.id,
            label: termLabel(term),
            academicYear: term.academicYear,
          }))}
          {...props}
        />
      ) : (
        <Loading what="the layouts" lines={4} className="h-14" />
      )}
    </Modal>
  )
}

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

interface MakePaperFormProps extends Omit<MakePaperModalProps, 'isOpen'> {
  layouts: readonly LayoutItem[]
  terms: readonly { value: string; label: string; academicYear: string }[]
}

function MakePaperForm({ layouts, terms, onMade, onClose }: MakePaperFormProps) {
  const readAgain = useReadAgain('papers')
  const settings = useSettings()
  const { includes } = useAccount()
  const today = calendarDateOf(new Date(), useProgramTimeZone())
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
  const form = useEditForm<PaperValues, Paper>({
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
    onSaved(paper) {
      void readAgain()
      onMade(paper)
    },
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
      {layout && <p className="text-sm text-muted">{layout.agency}</p>}
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
          options={terms.filter(({ academicYear }) => academicYear === values.academicYear)}
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
  const problem = form.errorOf('components')
  return (
    <>
      <fieldset aria-describedby={problem === undefined ? undefined : 'components-error'}>
        <legend className="mb-1.5 text-sm font-semibold">Components</legend>
        <div className="flex flex-wrap gap-x-6">
          {offered.map((name) => (
            <label key={name} className="flex min-h-11 items-center gap-2.5 text-sm">
              <input
                type={layout?.isOfOneComponent ? 'radio' : 'checkbox'}
                name="components"
                className="size-4.5 accent-primary"
                checked={components.includes(name)}
                onChange={({ target }) => {
                  const others = layout?.isOfOneComponent ? [] : components.filter((one) => one !== name)
                  form.set('components', target.checked ? [...others, name] : others)
                }}
              />
              {name}
            </label>
          ))}
        </div>
        {problem !== undefined && <FieldErrorText id="components-error">{problem}</FieldErrorText>}
      </fieldset>
      {layout?.takesLevel && (
        <SelectField
          name="level"
          label="Level"
          options={[
            { value: '1', label: 'NSTP 1' },
            { value: '2', label: 'NSTP 2' },
          ]}
          value={String(options.level)}
          onChange={({ target }) => form.set('options', { ...options, level: target.value === '2' ? 2 : 1 })}
        />
      )}
      {layout?.options
        .filter((name) => name !== 'listsRotc' || components.includes('ROTC'))
        .map((name) => (
          <div key={name}>
            <label className="flex min-h-11 items-center gap-2.5 text-sm">
              <input
                type="checkbox"
                className="size-4.5 accent-primary"
                aria-describedby={`${name}-hint`}
                checked={options[name]}
                onChange={({ target }) => form.set('options', { ...options, [name]: target.checked })}
              />
              {optionTexts[name].label}
            </label>
            <p id={`${name}-hint`} className="pl-7 text-sm text-muted">
              {optionTexts[name].hint}
            </p>
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

interface EditPaperModalProps {
  paper: Paper | null
  layout: LayoutItem | undefined
  onClose: () => void
}

export function EditPaperModal({ paper, ...props }: EditPaperModalProps) {
  return (
    <ModalOf thing={paper} onClose={props.onClose} size="sm" title="Edit paper">
      {(shown) => <EditPaperForm {...props} paper={shown} />}
    </ModalOf>
  )
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

function EditPaperForm({ paper, layout, onClose }: EditPaperModalProps & { paper: Paper }) {
  const readAgain = useReadAgain('papers')
  const bodyOf = ({ dueOn, components, ...values }: FieldsOf) => ({
    ...values,
    components: [...components],
    dueOn: dueOn === '' ? null : dueOn,
  })
  const form = useEditForm<FieldsOf, void>({
    values: fieldsOf(paper),
    problemsOf: (values) => withHalfTypedDue(problemsOfSchema(paperEditSchema, bodyOf(values))),
    staysOpen: ({ search }) => papersAddress.read(search).open === 'edit',
    record: {
      what: 'paper',
      version: paper.version,
      labelOf: (name) => fieldLabels[name],
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
      async read() {
        const now = await readPaper(paper.id)
        if (!now) throw new Error(paperMessages.missing)
        return { values: fieldsOf(now), version: now.version }
      },
    },
    async send(values, { version }) {
      await sendOwn('papers', () =>
        callApi(
          api.papers[':id'].$patch({
            param: { id: paper.id },
            header: seenVersion({ ...paper, version }),
            json: paperEditSchema.parse(bodyOf(values)),
          }),
        ),
      )
    },
    onSaved() {
      void readAgain()
      showToast({ type: 'success', message: 'Changes saved' })
      onClose()
    },
  })
  return (
    <Form form={form} closesTo={isFormClosed}>
      <PaperFields form={form} layout={layout} />
      <FormFoot form={form} label="Save changes" onCancel={onClose} />
    </Form>
  )
}
