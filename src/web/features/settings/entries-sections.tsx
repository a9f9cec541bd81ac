import { Plus, X } from 'lucide-react'
import type { SemesterDefinition } from '#shared/periods.ts'
import { settingsLimits } from '#shared/settings/settings-schema.ts'
import { type Feature, featureIcons, siteTextLimits, type Testimonial } from '#shared/settings/site-texts.ts'
import { Button, IconButton } from '#web/components/button.tsx'
import { FieldErrorText, SelectField, TextAreaField, TextField } from '#web/components/field.tsx'
import { useFocusAfterRender } from '#web/lib/focus.ts'
import { lengthHint } from '#web/lib/number-texts.ts'
import { EntriesEditor } from './entries-editor.tsx'
import { oneLine, SectionCard } from './section-card.tsx'
import { iconLabels, monthNames, settingLabels } from './setting-texts.ts'
import type { Section } from './use-section.ts'

const icons = featureIcons.map((value) => ({ value, label: iconLabels[value] }))

const blank: Feature = { icon: 'people', title: '', text: '' }

export function FeaturesSection({ section }: { section: Section }) {
  const { values, change, errorOf } = section
  const { features } = values
  return (
    <SectionCard
      title={settingLabels.features}
      lead="Shown on the home page. Leave the list empty to hide this section."
      section={section}
    >
      <TextField
        name="features.title"
        label="Heading"
        required
        density="compact"
        autoComplete="off"
        hint={lengthHint(features.title, siteTextLimits.title)}
        value={features.title}
        error={errorOf('features.title')}
        onChange={({ target }) => change({ features: { ...features, title: target.value } })}
      />
      <EntriesEditor
        noun="Feature"
        entries={features.items}
        onChange={(items) => change({ features: { ...features, items } })}
        blank={blank}
        firstField={(index) => `features.items.${index}.title`}
        max={siteTextLimits.features}
        error={errorOf('features.items')}
      >
        {({ icon, title, text }, index, edit) => {
          const path = `features.items.${index}`
          return (
            <>
              <div className="grid gap-3 sm:grid-cols-[1fr_10rem]">
                <TextField
                  name={`${path}.title`}
                  label="Title"
                  required
                  density="compact"
                  autoComplete="off"
                  hint={lengthHint(title, siteTextLimits.title)}
                  value={title}
                  error={errorOf(`${path}.title`)}
                  onChange={({ target }) => edit({ title: target.value })}
                />
                <SelectField
                  name={`${path}.icon`}
                  label="Icon"
                  density="compact"
                  options={icons}
                  value={icon}
                  error={errorOf(`${path}.icon`)}
                  onChange={({ target }) => edit({ icon: iconOf(target.value) })}
                />
              </div>
              <TextAreaField
                name={`${path}.text`}
                label="Text"
                required
                density="compact"
                rows={2}
                hint={lengthHint(text, siteTextLimits.text)}
                value={text}
                error={errorOf(`${path}.text`)}
                onChange={({ target }) => edit({ text: oneLine(target.value) })}
              />
            </>
          )
        }}
      </EntriesEditor>
    </SectionCard>
  )
}

function iconOf(value: string): Feature['icon'] {
  return featureIcons.find((icon) => icon === value) ?? blank.icon
}

const testimonialsSectionBlank: Testimonial = { quote: '', attribution: '' }

export function TestimonialsSection({ section }: { section: Section }) {
  const { values, change, errorOf } = section
  const { testimonials } = values
  return (
    <SectionCard
      title={settingLabels.testimonials}
      lead="Shown on the home page. Sample quotes; replace with real ones from graduates who agreed to be quoted. Leave the list empty to hide this section."
      section={section}
    >
      <TextField
        name="testimonials.title"
        label="Heading"
        required
        density="compact"
        autoComplete="off"
        hint={lengthHint(testimonials.title, siteTextLimits.title)}
        value={testimonials.title}
        error={errorOf('testimonials.title')}
        onChange={({ target }) => change({ testimonials: { ...testimonials, title: target.value } })}
      />
      <EntriesEditor
        noun="Testimonial"
        entries={testimonials.items}
        onChange={(items) => change({ testimonials: { ...testimonials, items } })}
        blank={testimonialsSectionBlank}
        firstField={(index) => `testimonials.items.${index}.quote`}
        max={siteTextLimits.testimonials}
        error={errorOf('testimonials.items')}
      >
        {({ quote, attribution }, index, edit) => {
          const path = `testimonials.items.${index}`
          return (
            <>
              <TextAreaField
                name={`${path}.quote`}
                label="Quote"
                required
                density="compact"
                rows={3}
                hint={lengthHint(quote, siteTextLimits.quote)}
                value={quote}
                error={errorOf(`${path}.quote`)}
                onChange={({ target }) => edit({ quote: oneLine(target.value) })}
              />
              <TextField
                name={`${path}.attribution`}
                label="Name"
                hint={
                  lengthHint(attribution, siteTextLimits.attribution) ??
                  'Shown under the quote, such as “A CWTS graduate”.'
                }
                required
                density="compact"
                autoComplete="off"
                value={attribution}
                error={errorOf(`${path}.attribution`)}
                onChange={({ target }) => edit({ attribution: target.value })}
              />
            </>
          )
        }}
      </EntriesEditor>
    </SectionCard>
  )
}

const monthOptions = monthNames.map((label, index) => ({ value: String(index + 1), label }))

export function SemestersSection({ section }: { section: Section }) {
  const { values, change, errorOf } = section
  const { semesters } = values
  const ofWhole = errorOf('semesters')
  const focusNext = useFocusAfterRender()

  function edit(index: number, part: Partial<SemesterDefinition>) {
    change({ semesters: semesters.map((old, at) => (at === index ? { ...old, ...part } : old)) })
  }

  return (
    <SectionCard
      title="Semesters"
      lead="“Current Semester” and “Last Semester” follow these months. The academic year starts with the first semester."
      section={section}
    >
      <ol className="flex flex-col gap-4">
        {semesters.map((semester, index) => {
          const path = `semesters.${index}`
          const title = semester.name.trim() || `Semester ${index + 1}`
          return (
            <li
              // Semesters are identified by their index; the controls have no state.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              key={index}
              className="grid grid-cols-[1fr_1fr_auto] gap-x-3 gap-y-2"
            >
              <TextField
                name={nameId(index)}
                label={`Semester ${index + 1}`}
                required
                density="compact"
                className="col-span-2"
                hint={lengthHint(semester.name, settingsLimits.name)}
                autoComplete="off"
                value={semester.name}
                error={errorOf(nameId(index)) ?? errorOf(path)}
                onChange={({ target }) => edit(index, { name: target.value })}
              />
              {(['firstMonth', 'lastMonth'] as const).map((month) => (
                <SelectField
                  key={month}
                  name={`${path}.${month}`}
                  label={month === 'firstMonth' ? 'From' : 'To'}
                  aria-label={`${title}: ${month === 'firstMonth' ? 'first' : 'last'} month`}
                  density="compact"
                  options={monthOptions}
                  value={String(semester[month])}
                  error={errorOf(`${path}.${month}`)}
                  onChange={({ target }) => edit(index, { [month]: Number(target.value) })}
                />
              ))}
              <IconButton
                label={`Remove ${title}`}
                // Beside the name's control, whether or not it has an error.
                className="col-start-3 row-start-1 mt-6.5 max-md:size-11"
                disabled={semesters.length === 1}
                onClick={() => {
                  change({ semesters: semesters.toSpliced(index, 1) })
                  focusNext(nameId(Math.min(index, semesters.length - 2)))
                }}
              >
                <X aria-hidden="true" className="size-4" />
              </IconButton>
            </li>
          )
        })}
      </ol>
      {ofWhole !== undefined && <FieldErrorText id="semesters-error">{ofWhole}</FieldErrorText>}
      {semesters.length < settingsLimits.semesters && (
        <div>
          <Button
            variant="outline"
            size="sm"
            icon={<Plus aria-hidden="true" className="size-4" />}
            onClick={() => {
              change({ semesters: [...semesters, nextSemester(semesters)] })
              focusNext(nameId(semesters.length))
            }}
          >
            Add a semester
          </Button>
        </div>
      )}
    </SectionCard>
  )
}

function nameId(index: number): string {
  return `semesters.${index}.name`
}

function nextSemester(semesters: readonly SemesterDefinition[]): SemesterDefinition {
  const month = ((semesters.at(-1)?.lastMonth ?? 0) % 12) + 1
  return { name: '', firstMonth: month, lastMonth: month }
}
