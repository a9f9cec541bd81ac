import { clsx } from 'clsx'
import { componentNames, type NstpComponent } from '#shared/student-choices.ts'
import { Badge } from '#web/components/badge.tsx'
import { ButtonLink } from '#web/components/button.tsx'
import { componentTones } from '#web/lib/component-tones.ts'
import { type Program, programs } from './programs.ts'

const edges: Record<NstpComponent, string> = {
  ROTC: 'border-l-olive',
  CWTS: 'border-l-blue',
  LTS: 'border-l-amber',
}

/** The three components, one after the other; each can be linked to: /programs#cwts. */
export function ProgramDetails() {
  return (
    <div className="flex flex-col gap-6">
      {programs.map((program) => (
        <ProgramDetail key={program.component} program={program} />
      ))}
    </div>
  )
}

function ProgramDetail({
  program: { component, purpose, activities, afterwards, isOpen },
}: {
  program: Program
}) {
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
        <p className="mt-2">{purpose}</p>
        <p className="mt-3 text-sm text-muted">{afterwards}</p>
      </div>
      <div className="flex flex-col items-start">
        <p className="text-sm font-semibold text-muted">Such as</p>
        <ul className="mt-1 list-disc pl-5">
          {activities.map((activity) => (
            <li key={activity}>{activity}</li>
          ))}
        </ul>
        <div className="mt-5 md:mt-auto md:pt-5">
          {isOpen ? (
            <ButtonLink to="/register" reloadDocument>
              Enlist in {component}
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
