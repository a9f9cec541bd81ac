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
import { CheckList } from '#web/components/check-line.tsx'
import { SelectField, TextField } from '#web/components/field.tsx'
import { Form, problemsOfSchema } from '#web/components/form.tsx'
import { FormFoot } from '#web/components/form-foot.tsx'
import { useOfficeForm, useRecordForm } from '#web/components/record-form.ts'
import { api, callApi, ifMatch } from '#web/lib/api.ts'
import { countOf, figureText, typedNumber } from '#web/lib/number-texts.ts'
import { optionsOf } from '#web/lib/options.ts'
import { useSettings } from '#web/lib/settings.tsx'
import { readSections } from '#web/lib/terms.ts'
import { type Cell, isFormClosed, termsAddress, unplacedIn } from './data.ts'
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

interface AddSectionsProps {
  term: Term
  cell: Cell
  /** The sections of the component and level. */
  held: readonly Section[]
  onClose: () => void
}

export function AddSectionsForm({ term, cell, held, onClose }: AddSectionsProps) {
  const presets = {
    'Battalions and platoons': battalions,
    'Sections of 60': sectionsOfSixty(unplacedIn(cell)),
  }
  const form = useOfficeForm<SectionPlan, number>({
    topics: ['terms'],
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
    done: (count) => `${countOf(count, 'section')} added`,
    onDone: onClose,
  })
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
        {...form.field('takes')}
        label={labels.takes}
        options={optionsOf(plannedTakes, takesLabels)}
      />
      <CourseField
        held={held}
        chosen={form.values.courses}
        onChoose={(courses) => form.set('courses', courses)}
      />
      <PlanLine plan={form.values} held={held} />
      <FormFoot form={form} label="Add sections" onCancel={onClose} />
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
    <CheckList
      name="courses"
      label={labels.courses}
      hint={
        chosen.length === 0 ? 'None selected: all courses.' : 'Only students of these courses are placed.'
      }
      offered={offered}
      chosen={chosen}
      onChoose={onChoose}
    />
  )
}

type SectionValues = Omit<SectionEdit, 'capacity'> & { capacity: string }

function valuesOf({ unit, name, capacity, takes, courses, adviser, meets }: Section): SectionValues {
  return { unit, name, capacity: String(capacity), takes, courses, adviser, meets }
}

const bodyOf = (values: SectionValues) => ({ ...values, capacity: typedNumber(values.capacity) })

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

export function SectionForm({ term, section, held, onClose }: SectionFormProps) {
  const form = useRecordForm({
    topics: ['terms'],
    stored: section,
    what: 'section',
    labels,
    textOf,
    valuesOf,
    read: async () => (await readSections(term.id)).find(({ id }) => id === section.id),
    missing: sectionMessages.missing,
    problemsOf: (values) => problemsOfSchema(sectionEditSchema, bodyOf(values)),
    staysOpen: ({ search }) => termsAddress.read(search).section === section.id,
    send: (values, { version }) =>
      callApi(
        api.sections[':id'].$patch({
          param: { id: section.id },
          header: ifMatch(version),
          json: sectionEditSchema.parse(bodyOf(values)),
        }),
      ),
    done: 'Changes saved',
    onDone: onClose,
  })
  return (
    <Form form={form} closesTo={isFormClosed}>
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
      <FormFoot form={form} label="Save changes" onCancel={onClose} />
    </Form>
  )
}
