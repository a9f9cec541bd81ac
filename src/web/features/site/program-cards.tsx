import { clsx } from 'clsx'
import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router'
import { componentNames, type NstpComponent, nstpComponents } from '#shared/students/student-choices.ts'
import { Badge } from '#web/components/badge.tsx'
import { componentTones } from '#web/lib/component-tones.ts'
import { useTranslation } from '#web/lib/translation.tsx'
import { ComponentState, OtherComponents } from './call-to-action.tsx'
import { ComponentFacts, type ComponentFactTexts } from './component-facts.tsx'

const edges: Record<NstpComponent, string> = {
  ROTC: 'before:bg-olive',
  CWTS: 'before:bg-blue',
  LTS: 'before:bg-amber',
}

export function ProgramCards({ facts }: { facts: ComponentFactTexts }) {
  const t = useTranslation()
  return (
    <section aria-labelledby="programs" className="border-y bg-soft">
      <div className="page-width py-8 md:py-16">
        <h2 id="programs" className="text-xl font-bold tracking-tight sm:text-2xl md:text-3xl">
          {t('Choose your component')}
        </h2>
        <p className="mt-2 max-w-2xl text-muted sm:text-lg">
          {t('Every student completes one component over two semesters.')}
        </p>
        <ul className="mt-5 grid grid-cols-1 gap-4 md:mt-8 lg:grid-cols-3 lg:gap-6">
          {nstpComponents.map((component) => (
            <li
              key={component}
              className={clsx(
                'relative flex flex-col overflow-hidden rounded-box border bg-card p-[min(1rem,16px)] shadow-card sm:p-[min(1.5rem,24px)]',
                'before:absolute before:inset-x-0 before:top-0 before:h-1',
                edges[component],
              )}
            >
              <div className="flex items-center gap-3">
                <Badge tone={componentTones[component]}>{component}</Badge>
                <h3 className="min-w-0 text-lg leading-snug font-bold">{componentNames[component]}</h3>
              </div>
              <div className="mt-2">
                <ComponentFacts facts={facts[component]} />
              </div>
              <p className="mt-auto pt-3 text-sm font-semibold sm:pt-5">
                <ComponentState component={component} />
              </p>
              <OtherComponents component={component} />
              <Link
                to={`/programs#${component.toLowerCase()}`}
                className="mt-1 inline-flex min-h-11 items-center gap-1.5 self-start font-semibold text-primary underline-offset-4 hover:underline"
              >
                {t(`More about ${component}`)}
                <ArrowRight className="size-4" />
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
