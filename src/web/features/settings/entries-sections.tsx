import { type Feature, featureIcons, siteTextLimits, type Testimonial } from '#shared/settings/site-texts.ts'
import { SelectField, TextAreaField, TextField } from '#web/components/field.tsx'
import { lengthHint } from '#web/lib/number-texts.ts'
import { EntriesEditor } from './entries-editor.tsx'
import { oneLine, SectionCard } from './section-card.tsx'
import { iconLabels, settingLabels } from './setting-texts.ts'
import type { Section } from './use-section.ts'

const icons = featureIcons.map((value) => ({ value, label: iconLabels[value] }))

const blank: Feature = { icon: 'people', title: '', text: '' }

export function FeaturesSection({ section }: { section: Section }) {
  const { values, change, errorOf } = section
  const { features } = values
  return (
    <SectionCard
      title={settingLabels.features}
      lead="On the home page. Without features that part is left out."
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
                  label="Picture"
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
      lead="On the home page. The ones that come with the system are samples: nobody said them. Replace them with words of your own graduates, who agreed to be quoted. Without testimonials that part is left out."
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
                label="Words"
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
                label="Who says it"
                hint={
                  lengthHint(attribution, siteTextLimits.attribution) ??
                  'As the public reads it, such as “A CWTS graduate”.'
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
