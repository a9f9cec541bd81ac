import {
  newSectionsSchema,
  type SectionEdit,
  type SectionTakes,
  sectionEditSchema,
  sectionLabel,
  sectionMessages,
} from '#shared/terms/terms.ts'
import type { Section, Term } from '#shared/terms/terms-response.ts'
import { SmallButton } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { SelectField, TextField } from '#web/components/field.tsx'
import { type EditForm, Form, problemsOfSchema, useEditForm } from '#web/components/form.tsx'
import { FormFoot } from '#web/components/form-foot.tsx'
import { Modal, ModalOf } from '#web/components/modal.tsx'
import { Loading } from '#web/components/tab-frame.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { useLevelNames } from '#web/lib/level-names.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { useReadAgain } from '#web/lib/query.ts'
import { useSettings } from '#web/lib/settings.tsx'
import { type Cell, isFormClosed, readSections, termsAddress, unplacedIn } from './data.ts'
import {
  battalions,
  plannedTakes,
  problemsOfPlan,
  type SectionPlan,
  sectionsOf,
  sectionsOfSixty,
} from './section-plan.ts'

const labels = {
  unit: 'Unit',
  name: 'Section',
  capacity: 'Capacity',
  takes: 'Takes',
  courses: 'Courses',
  adviser: 'Adviser',
  meets: 'Meets',
} as const satisfies Record<keyof SectionEdit, string>

const takesLabels: Readonly<Record<(typeof plannedTakes)[number], string>> = {
  all: 'Everybody',
  Male: 'Men',
  Female: 'Women',
  halves: 'Men in the first half of the units, women in the second',
}

export const takesLabel = (takes: SectionTakes) => takesLabels[takes]

interface AddSectionsModalProps {
  isOpen: boolean
  term: Term
  cell: Cell
  /** The sections of the component and level. */
  held: readonly Section[]
  onClose: () => void
}

export function AddSectionsModal({ isOpen, ...props }: AddSectionsModalProps) {
  const { cellName } = useLevelNames()
  return (
    <Modal
      open={isOpen}
      onClose={props.onClose}
      size="side"
      title={`Add sections of ${cellName(props.cell)}`}
    >
      <AddSectionsForm {...props} />
    </Modal>
  )
}

function AddSectionsForm({ term, cell, held, onClose }: Omit<AddSectionsModalProps, 'isOpen'>) {
  const readAgain = useReadAgain('terms')
  const presets = {
    'Battalions and platoons': battalions,
    'Sections of 60': sectionsOfSixty(unplacedIn(cell)),
  }
  const form = useEditForm<SectionPlan, number>({
    values: cell.component === 'ROTC' ? battalions : presets['Sections of 60'],
    problemsOf: (plan) => problemsOfPlan(plan, held),
    staysOpen: ({ search }) => termsAddress.read(search).open === 'sections',
    async send(plan) {
      const { component, level } = cell
      const sections = sectionsOf(plan, held)
      await callApi(
        api.terms[':id'].sections.$post({
          param: { id: term.id },
          json: newSectionsSchema.parse({ component, level, sections }),
        }),
      )
      return sections.length
    },
    onSaved(count) {
      void readAgain()
      showToast({ type: 'success', message: `${countOf(count, 'section')} added` })
      onClose()
    },
  })
  const { takes } = form.values
  return (
    <Form form={form} closesTo={isFormClosed}>
      <div className="flex flex-wrap gap-2">
        {Object.entries(presets).map(([name, plan]) => (
          <SmallButton
            key={name}
            onClick={() => {
              form.set('units', plan.units)
              form.set('perUnit', plan.perUnit)
              form.set('pattern', plan.pattern)
              form.set('capacity', plan.capacity)
              form.set('takes', plan.takes)
            }}
          >
            {name}
          </SmallButton>
        ))}
      </div>
      <TextField
        {...form.field('units')}
        label="Units"
        hint="Such as Alpha, Bravo, Charlie. Leave empty for sections without a unit."
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          {...form.field('perUnit')}
          inputMode="numeric"
          label={form.values.units.trim() === '' ? 'Number of sections' : 'Sections in each unit'}
          required
        />
        <TextField {...form.field('capacity')} inputMode="numeric" label={labels.capacity} required />
      </div>
      <TextField {...form.field('pattern')} label="Name" hint="{n} becomes the number." required />
      <SelectField
        name="takes"
        label={labels.takes}
        options={plannedTakes.map((value) => ({ value, label: takesLabels[value] }))}
        value={takes}
        onChange={({ target }) => {
          const chosen = plannedTakes.find((one) => one === target.value)
          if (chosen) form.set('takes', chosen)
        }}
      />
      <CourseField
        held={held}
        chosen={form.values.courses}
        onChoose={(courses) => form.set('courses', courses)}
      />
      <PlanLine plan={form.values} held={held} />
      <FormFoot form={form} label="Add sections" busyLabel="Adding…" onCancel={onClose} />
    </Form>
  )
}

function PlanLine({ plan, held }: { plan: SectionPlan; held: readonly Section[] }) {
  const sections = problemsOfPlan(plan, held).length === 0 ? sectionsOf(plan, held) : []
  const places = sections.reduce((sum, { capacity }) => sum + capacity, 0)
  const [first] = sections
  const last = sections.at(-1)
  return (
    <p role="status" className="text-sm font-semibold">
      {first && last && (
        <>
          {countOf(sections.length, 'section')} with {countOf(places, 'place')}
          <span className="block font-normal wrap-anywhere text-muted">
            {sectionLabel(first)}
            {last !== first && ` … ${sectionLabel(last)}`}
          </span>
        </>
      )}
    </p>
  )
}

interface CourseFieldProps {
  held: readonly Section[]
  chosen: readonly string[]
  onChoose: (courses: string[]) => void
}

/** The field also offers courses of sections that the settings no longer have. */
function CourseField({ held, chosen, onChoose }: CourseFieldProps) {
  const { courses } = useSettings()
  const offered = [...new Set([...courses, ...held.flatMap((section) => section.courses), ...chosen])]
  return (
    <fieldset className="flex flex-wrap gap-x-6">
      <legend className="text-sm font-semibold">{labels.courses}</legend>
      <p className="w-full text-sm text-muted">
        {chosen.length === 0 ? 'None selected: all courses.' : 'Only students of these courses are placed.'}
      </p>
      {offered.map((course, index) => (
        <label key={course} className="flex min-h-11 items-center gap-2.5 text-sm">
          <input
            id={index === 0 ? 'courses' : undefined}
            type="checkbox"
            className="size-4.5 accent-primary"
            checked={chosen.includes(course)}
            onChange={({ target }) =>
              onChoose(offered.filter((each) => (each === course ? target.checked : chosen.includes(each))))
            }
          />
          {course}
        </label>
      ))}
    </fieldset>
  )
}

interface SectionPanelProps {
  term: Term
  /** The section's id in the address. */
  opened: string | null
  sections: readonly Section[] | undefined
  onClose: () => void
}

export function SectionPanel({ term, opened, sections, onClose }: SectionPanelProps) {
  return (
    <ModalOf thing={opened} onClose={onClose} size="side" title="Edit section">
      {(id) => {
        const stored = sections?.find((section) => section.id === id)
        if (stored)
          return <SectionForm term={term} section={stored} held={sections ?? []} onClose={onClose} />
        if (sections) return <ErrorBanner message={sectionMessages.missing} />
        return <Loading what="the section" lines={4} className="h-14" />
      }}
    </ModalOf>
  )
}

type SectionValues = Omit<SectionEdit, 'capacity'> & { capacity: string }

function valuesOf({ unit, name, capacity, takes, courses, adviser, meets }: Section): SectionValues {
  return { unit, name, capacity: String(capacity), takes, courses, adviser, meets }
}

const bodyOf = (values: SectionValues) => ({ ...values, capacity: Number(values.capacity.trim() || 'none') })

function textOf(name: keyof SectionValues, values: SectionValues): string {
  if (name === 'takes') return takesLabel(values.takes)
  return name === 'courses' ? values.courses.join(', ') : values[name]
}

interface SectionFormProps {
  term: Term
  section: Section
  held: readonly Section[]
  onClose: () => void
}

function SectionForm({ term, section, held, onClose }: SectionFormProps) {
  const readAgain = useReadAgain('terms')
  const form = useEditForm<SectionValues, void>({
    values: valuesOf(section),
    problemsOf: (values) => problemsOfSchema(sectionEditSchema, bodyOf(values)),
    staysOpen: ({ search }) => termsAddress.read(search).section === section.id,
    record: {
      what: 'section',
      version: section.version,
      labelOf: (name) => labels[name],
      textOf,
      async read() {
        const now = (await readSections(term.id)).find(({ id }) => id === section.id)
        if (!now) throw new Error(sectionMessages.missing)
        return { values: valuesOf(now), version: now.version }
      },
    },
    async send(values, { version }) {
      await callApi(
        api.sections[':id'].$patch({
          param: { id: section.id },
          header: { 'if-match': `"${version}"` },
          json: sectionEditSchema.parse(bodyOf(values)),
        }),
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
      <SectionFields form={form} section={section} held={held} />
      <FormFoot form={form} label="Save changes" onCancel={onClose} />
    </Form>
  )
}

interface SectionFieldsProps extends Pick<SectionFormProps, 'section' | 'held'> {
  form: EditForm<SectionValues>
}

function SectionFields({ form, section, held }: SectionFieldsProps) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField {...form.field('unit')} label={labels.unit} />
        <TextField {...form.field('name')} label={labels.name} required />
        <TextField
          {...form.field('capacity')}
          inputMode="numeric"
          label={labels.capacity}
          hint={section.students > 0 ? `${figureText(section.students)} now.` : undefined}
          required
        />
        <SelectField
          {...form.field('takes')}
          label={labels.takes}
          options={(['all', 'Male', 'Female'] as const).map((value) => ({ value, label: takesLabel(value) }))}
        />
      </div>
      <CourseField
        held={held}
        chosen={form.values.courses}
        onChoose={(courses) => form.set('courses', courses)}
      />
      <TextField {...form.field('adviser')} label={labels.adviser} />
      <TextField {...form.field('meets')} label={labels.meets} hint="Day, time and place." />
    </>
  )
}
