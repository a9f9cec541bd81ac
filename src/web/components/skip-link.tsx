import { useTranslation } from '#web/lib/translation.tsx'

/** The first tab stop: skips the navigation. */
export function SkipLink() {
  const t = useTranslation()
  return (
    <a
      href="#content"
      className="sr-only z-60 rounded-box bg-card px-4 py-3 font-semibold text-primary shadow-card focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
    >
      {t('Skip to content')}
    </a>
  )
}
