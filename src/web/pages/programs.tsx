import { nstpLawAddress } from '#shared/site/public-pages.ts'
import { FactList, ProgramDetails } from '#web/features/site/program-details.tsx'
import { TextPage, textLinkClass } from '#web/features/site/text-page.tsx'
import program from '#web/features/site/texts/program.json' with { type: 'json' }
import { pageContext } from '#web/lib/page-context.ts'
import { staticMeta } from '#web/lib/page-meta.ts'
import { useTranslation } from '#web/lib/translation.tsx'
import type { Route } from './+types/programs'

export const meta = staticMeta({
  title: program.title,
  description:
    'ROTC, CWTS and LTS: what the three components of the National Service Training Program are for, who takes them, how long they last and what comes next (Republic Act 9163).',
})

export function loader({ context }: Route.LoaderArgs) {
  return { facts: context.get(pageContext).texts().componentFacts }
}

export default function Programs({ loaderData }: Route.ComponentProps) {
  const t = useTranslation()
  const { title, lead, facts, afterwards, excused } = program
  return (
    <TextPage title={title} lead={lead}>
      <h2 className="sr-only">{t('The program')}</h2>
      <FactList facts={facts} />
      <h2 className="mt-14 mb-6 text-2xl font-bold tracking-tight">{t('The three components')}</h2>
      <ProgramDetails facts={loaderData.facts} />
      <h2 className="mt-14 mb-6 text-2xl font-bold tracking-tight">{t(afterwards.title)}</h2>
      <FactList facts={afterwards.points} />
      <h2 className="mt-14 text-2xl font-bold tracking-tight">{t(excused.title)}</h2>
      <p className="mt-3 max-w-3xl">{t(excused.text)}</p>
      <p className="mt-8">
        <a href={nstpLawAddress} rel="noreferrer" className={textLinkClass}>
          {t('Read Republic Act 9163')}
        </a>
      </p>
    </TextPage>
  )
}
