import { siteTextLimits } from '#shared/site-texts.ts'
import { TextAreaField, TextField } from '#web/components/text-field.tsx'
import { lengthHint } from '#web/lib/length-hint.ts'
import { oneLine } from './one-line.ts'
import { SectionCard } from './section-card.tsx'
import { settingLabels } from './setting-texts.ts'
import type { Section } from './use-section.ts'

/** What the home page says first. */
export function HeroSection({ section }: { section: Section }) {
  const { values, change, errorOf } = section
  const { hero } = values
  return (
    <SectionCard
      title={settingLabels.hero}
      lead="The first thing on the home page. The figures under it are fixed."
      section={section}
    >
      <TextField
        name="hero.eyebrow"
        label="Above the title"
        hint={lengthHint(hero.eyebrow, siteTextLimits.eyebrow) ?? 'Empty leaves it out.'}
        density="compact"
        autoComplete="off"
        value={hero.eyebrow}
        error={errorOf('hero.eyebrow')}
        onChange={({ target }) => change({ hero: { ...hero, eyebrow: target.value } })}
      />
      <TextField
        name="hero.title"
        label="Title"
        required
        density="compact"
        autoComplete="off"
        hint={lengthHint(hero.title, siteTextLimits.title)}
        value={hero.title}
        error={errorOf('hero.title')}
        onChange={({ target }) => change({ hero: { ...hero, title: target.value } })}
      />
      <TextAreaField
        name="hero.text"
        label="Text under the title"
        required
        density="compact"
        rows={3}
        hint={lengthHint(hero.text, siteTextLimits.text)}
        value={hero.text}
        error={errorOf('hero.text')}
        onChange={({ target }) => change({ hero: { ...hero, text: oneLine(target.value) } })}
      />
    </SectionCard>
  )
}
