import type { SiteTexts } from '#shared/settings/site-texts.ts'
import { useTranslation } from '#web/lib/translation.tsx'

export type ComponentFactTexts = SiteTexts['componentFacts']

const lines = [
  ['hours', 'Hours'],
  ['uniform', 'Uniform'],
  ['cost', 'Cost'],
] as const

/** What a student wants to know before choosing; what the office left empty isn't shown. */
export function ComponentFacts({ facts }: { facts: ComponentFactTexts[keyof ComponentFactTexts] }) {
  const t = useTranslation()
  return (
    <>
      <p dir="auto" className="wrap-anywhere max-sm:text-sm">
        {t(facts.does)}
      </p>
      <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 text-sm sm:mt-3 sm:gap-y-1">
        {lines
          .filter(([name]) => facts[name] !== '')
          .map(([name, label]) => (
            <div key={name} className="contents">
              <dt className="text-muted">{t(label)}</dt>
              <dd dir="auto" className="min-w-0 wrap-anywhere">
                {t(facts[name])}
              </dd>
            </div>
          ))}
      </dl>
    </>
  )
}
