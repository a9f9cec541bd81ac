import { clsx } from 'clsx'
import { componentNames, type NstpComponent } from '#shared/students/student-choices.ts'
import { Badge } from '#web/components/badge.tsx'
import { ButtonLink } from '#web/components/button.tsx'
import { componentTones } from '#web/lib/component-tones.ts'
import { useTranslation } from '#web/lib/translation.tsx'
import { type Program, programs } from './program-cards.tsx'

const edges: Record<NstpComponent, string> = {
  ROTC: 'border-l-olive',
  CWTS: 'border-l-blue',
  LTS: 'border-l-amber',
}

export function ProgramDetails() {
  return (
    <div className="flex flex-col gap-6">
      {programs.map((program) => (
        <ProgramDetail key={program.component} {...program} />
      ))}
    </div>
  )
}

function ProgramDetail({ component, purpose, activities, afterwards, isOpen }: Program) {
  const t = useTranslation()
  return (
    <section
      id={component.toLowerCase()}
      aria-labelledby={`${component}-title`}
      className={clsx(
        'grid grid-cols-1 scroll-mt-4 gap-x-10 gap-y-5 rounded-box border border-l-4 bg-card p-5 shadow-card md:grid-cols-[3fr_2fr] md:p-7',
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
        <p className="text-sm font-semibold text-muted">{t('Examples')}</p>
        <ul className="mt-1 list-disc pl-5">
          {activities.map((activity) => (
            <li key={activity}>{t(activity)}</li>
          ))}
        </ul>
        <div className="mt-5 md:mt-auto md:pt-5">
          {isOpen ? (
            <ButtonLink to={`/register?component=${component}`} reloadDocument>
              {`Enlist in ${component}`}
            </ButtonLink>
          ) : (
            <ButtonLink to="/contact" variant="outline">
              Ask the NSTP office
            </ButtonLink>
          )}
        </div>
      </div>
    </section>
  )
}

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

/** Statements of law name their section; rules of schools and offices are left out. */
export const programPage = {
  title: 'Programs',
  lead: 'The National Service Training Program (NSTP) strengthens civic consciousness and defense preparedness in the youth, by training in one of three components: ROTC, CWTS or LTS.',
  facts: [
    {
      term: 'Who takes it',
      text: 'Every student, male or female, in a degree course or a technical-vocational course of at least two years, in public and private schools. It is required for graduation.',
      source: 'RA 9163, sections 4 and 5',
    },
    {
      term: 'How long',
      text: 'Two semesters, usually called NSTP 1 and NSTP 2. A summer program may replace them where the government has designed one.',
      source: 'RA 9163, section 6',
    },
    {
      term: 'Which component',
      text: 'One of the three. ROTC is optional and voluntary. Every school offers at least one component; state universities and colleges offer ROTC and at least one other.',
      source: 'RA 9163, sections 4 and 7',
    },
    {
      term: 'What it costs',
      text: 'Only basic tuition is charged, at most half the regular rate per unit.',
      source: 'RA 9163, section 8',
    },
  ] satisfies Fact[],
  afterwards: {
    title: 'After both semesters',
    points: [
      {
        term: 'Passing',
        text: 'Students who pass NSTP 1 and 2 have completed the program. The school reports its graduates to the government office in charge of their component.',
        source: '',
      },
      {
        term: 'Serial number',
        text: 'Each graduate receives a serial number, issued by the Department of National Defense for ROTC and by the Commission on Higher Education for CWTS and LTS. The school passes it on; the school does not assign serial numbers.',
        source: '',
      },
      {
        term: 'CWTS and LTS',
        text: 'Graduates become part of the National Service Reserve Corps (NSRC), which the State may call upon for literacy and civic welfare activities.',
        source: 'RA 9163, section 11',
      },
      {
        term: 'ROTC',
        text: 'Graduates become part of the Citizen Armed Force, the reserve of the Armed Forces of the Philippines.',
        source: 'RA 9163, section 11; RA 7077',
      },
    ] satisfies Fact[],
  },
  excused: {
    title: 'Training elsewhere, transfers, special cases',
    text: 'Credit for earlier training, training at another school and exemptions are decided case by case under the rules of the Commission on Higher Education. Ask the NSTP office before you enlist, and bring your supporting documents.',
  },
} as const
