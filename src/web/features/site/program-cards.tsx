import { clsx } from 'clsx'
import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router'
import { componentNames, type NstpComponent } from '#shared/students/student-choices.ts'
import { Badge } from '#web/components/badge.tsx'
import { componentTones } from '#web/lib/component-tones.ts'
import { useTranslation } from '#web/lib/translation.tsx'
import { ComponentState, OtherComponents } from './calls.tsx'
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
      <div className="page-width py-14 md:py-20">
        <h2 id="programs" className="text-2xl font-bold tracking-tight md:text-3xl">
          {t('Choose your component')}
        </h2>
        <p className="mt-2 max-w-2xl text-lg text-muted">
          {t(
            'Every student in a degree or two-year technical course completes one component over two semesters. It is required for graduation.',
          )}
        </p>
        <ul className="mt-8 grid grid-cols-1 gap-6 lg:grid-cols-3">
          {programs.map((program) => (
            <li
              key={program.component}
              className={clsx(
                'relative flex flex-col overflow-hidden rounded-box border bg-card p-[min(1.5rem,24px)] shadow-card',
                'before:absolute before:inset-x-0 before:top-0 before:h-1',
                edges[program.component],
              )}
            >
              <div>
                <Badge tone={componentTones[program.component]}>{program.component}</Badge>
              </div>
              <h3 className="mt-3 text-xl font-bold">{componentNames[program.component]}</h3>
              <div className="mt-2">
                <ComponentFacts facts={facts[program.component]} />
              </div>
              <p className="mt-auto pt-5 text-sm font-semibold">
                <ComponentState component={program.component} />
              </p>
              <OtherComponents component={program.component} />
              <Link
                to={`/programs#${program.component.toLowerCase()}`}
                className="mt-1 inline-flex min-h-11 items-center gap-1.5 self-start font-semibold text-primary underline-offset-4 hover:underline"
              >
                {t(`More about ${program.component}`)}
                <ArrowRight className="size-4" />
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}

export interface Program {
  component: NstpComponent
  /** What the law says the component is for (RA 9163, section 3). */
  purpose: string
  /** What its graduates become part of (RA 9163, section 11; RA 7077). */
  afterwards: string
}

/** True to Republic Act 9163. */
export const programs: readonly Program[] = [
  {
    component: 'ROTC',
    purpose:
      'Military training for college students, to motivate, train, organize and mobilize them for national defense preparedness.',
    afterwards: 'Graduates become part of the Citizen Armed Force.',
  },
  {
    component: 'CWTS',
    purpose:
      'Work for the general welfare of communities: health, education, environment, entrepreneurship, safety, recreation and morals of the citizenry.',
    afterwards: 'Graduates become part of the National Service Reserve Corps.',
  },
  {
    component: 'LTS',
    purpose:
      'Training to teach reading, writing and arithmetic to school children, out-of-school youth and others who need it.',
    afterwards: 'Graduates become part of the National Service Reserve Corps.',
  },
]
