import { siteTextLimits, type Testimonial } from '#shared/site-texts.ts'
import { TextAreaField, TextField } from '#web/components/text-field.tsx'
import { lengthHint } from '#web/lib/length-hint.ts'
import { EntriesEditor } from './entries-editor.tsx'
import { oneLine } from './one-line.ts'
import { SectionCard } from './section-card.tsx'
import { settingLabels } from './setting-texts.ts'
import type { Section } from './use-section.ts'

const blank: Testimonial = { quote: '', attribution: '' }

/** What graduates say on the home page. */
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
        blank={blank}
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
