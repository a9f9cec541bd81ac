import { type Feature, featureIcons, siteTextLimits } from '#shared/site-texts.ts'
import { SelectField } from '#web/components/select-field.tsx'
import { TextAreaField, TextField } from '#web/components/text-field.tsx'
import { lengthHint } from '#web/lib/length-hint.ts'
import { EntriesEditor } from './entries-editor.tsx'
import { iconLabels } from './icon-labels.ts'
import { oneLine } from './one-line.ts'
import { SectionCard } from './section-card.tsx'
import { settingLabels } from './setting-texts.ts'
import type { Section } from './use-section.ts'

const icons = featureIcons.map((value) => ({ value, label: iconLabels[value] }))

const blank: Feature = { icon: 'people', title: '', text: '' }

/** What the home page says the portal does for a student. */
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
