import { clsx } from 'clsx'
import { componentNames, type NstpComponent } from '#shared/students/student-choices.ts'
import { Badge } from '#web/components/badge.tsx'
import { componentTones } from '#web/lib/component-tones.ts'
import { useTranslation } from '#web/lib/translation.tsx'
import { ComponentCallToAction } from './call-to-action.tsx'
import { ComponentFacts, type ComponentFactTexts } from './component-facts.tsx'

interface Program {
  component: NstpComponent
  /** What the law says the component is for (RA 9163, section 3). */
  purpose: string
  /** What its graduates become part of (RA 9163, section 11; RA 7077). */
  afterwards: string
}

/** True to Republic Act 9163. */
const programs: readonly Program[] = [
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

const edges: Record<NstpComponent, string> = {
  ROTC: 'border-l-olive',
  CWTS: 'border-l-blue',
  LTS: 'border-l-amber',
}

export function ProgramDetails({ facts }: { facts: ComponentFactTexts }) {
  return (
    <div className="flex flex-col gap-6">
      {programs.map((program) => (
        <ProgramDetail key={program.component} {...program} facts={facts[program.component]} />
      ))}
    </div>
  )
}

interface ProgramDetailProps extends Program {
  facts: ComponentFactTexts[NstpComponent]
}

function ProgramDetail({ component, purpose, afterwards, facts }: ProgramDetailProps) {
  const t = useTranslation()
  return (
    <section
      id={component.toLowerCase()}
      aria-labelledby={`${component}-title`}
      className={clsx(
        'grid grid-cols-1 scroll-mt-4 gap-x-10 gap-y-5 rounded-box border border-l-4 bg-card p-[min(1.25rem,20px)] shadow-card md:grid-cols-[3fr_2fr] md:p-7',
        edges[component],
      )}
    >
      <div>
        <Badge tone={componentTones[component]}>{component}</Badge>
        <h3 id={`${component}-title`} className="mt-2 text-xl font-bold">
          {componentNames[component]}
        </h3>
        <p className="mt-2">{t(purpose)}</p>
        <p className="mt-3 text-sm text-muted">{t(afterwards)}</p>
      </div>
      <div className="flex flex-col items-start">
        <div>
          <ComponentFacts facts={facts} />
        </div>
        <div className="mt-5 max-w-full md:mt-auto md:pt-5">
          <ComponentCallToAction component={component} />
        </div>
      </div>
    </section>
  )
}

/** Statements of law name their section; rules of schools and offices are left out. */
interface Fact {
  term: string
  text: string
  /** The section of the law. */
  source: string
}

export function FactList({ facts }: { facts: readonly Fact[] }) {
  const t = useTranslation()
  return (
    <dl className="grid gap-x-10 gap-y-6 md:grid-cols-2">
      {facts.map(({ term, text, source }) => (
        <div key={term} className="border-t-2 border-primary pt-3">
          <dt className="font-semibold">{t(term)}</dt>
          <dd className="mt-1">{t(text)}</dd>
          {source && <dd className="mt-1 text-sm text-muted">{t(source)}</dd>}
        </div>
      ))}
    </dl>
  )
}
