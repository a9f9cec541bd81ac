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
      <p dir="auto" className="wrap-anywhere">
        {t(facts.does)}
      </p>
      <dl className="mt-3 flex flex-col gap-1 text-sm">
        {lines
          .filter(([name]) => facts[name] !== '')
          .map(([name, label]) => (
            <div key={name} className="flex gap-3">
              <dt className="w-16 shrink-0 text-muted">{t(label)}</dt>
              <dd dir="auto" className="min-w-0 wrap-anywhere">
                {t(facts[name])}
              </dd>
            </div>
          ))}
      </dl>
    </>
  )
}
