import { announcementsPath } from '#shared/announcements/announcements.ts'
import { callToAction, othersToEnlistIn } from '#shared/site/calls-to-action.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { useEnlistmentAvailability, useSite } from '#web/lib/site.ts'
import { useTranslation } from '#web/lib/translation.tsx'

const allFull = 'ROTC and CWTS are full for this academic year. Ask the NSTP office.'

/** Tells visitors until or from when they can enlist, or why they can't. Null where there is nothing to say. */
export function useEnlistmentSentence(): string | null {
  const { enlistment } = useSite()
  return callToAction(useEnlistmentAvailability()) === 'full' ? allFull : enlistment
}

/**
 * The button that asks visitors to enlist. While they can't, it leads to the office or the announcements instead
 * (decision 075).
 * @param children the words of the button while students can enlist
 */
export function CallToActionLink({ children }: { children: string }) {
  const call = callToAction(useEnlistmentAvailability())
  if (call === 'enlist') {
    return (
      <ButtonLink to="/register" reloadDocument variant="gold" size="lg">
        {children}
      </ButtonLink>
    )
  }
  return call === 'full' ? (
    <ButtonLink to="/contact" variant="gold" size="lg">
      Contact the office
    </ButtonLink>
  ) : (
    <ButtonLink to={announcementsPath} variant="gold" size="lg">
      See the announcements
    </ButtonLink>
  )
}

/** One sentence that says whether students can enlist in this component. */
export function ComponentState({ component }: { component: NstpComponent }) {
  const t = useTranslation()
  const sentences = {
    enlist: 'Enlistment is online',
    wait: 'Enlistment is closed at the moment',
    full: `${component} is full for this academic year.`,
    ask: 'Ask the NSTP office about this component',
  }
  const call = callToAction(useEnlistmentAvailability(), component)
  return t(sentences[call])
}

/** How to enlist in one component. A full one has buttons for the components that have places. */
export function ComponentCallToAction({ component }: { component: NstpComponent }) {
  const availability = useEnlistmentAvailability()
  const { enlistment } = useSite()
  const t = useTranslation()
  switch (callToAction(availability, component)) {
    case 'enlist':
      return <FormLink component={component} />
    case 'full':
      return (
        <>
          <p className="mb-2 text-sm font-semibold">
            <ComponentState component={component} />
          </p>
          <OtherComponents component={component} />
        </>
      )
    case 'wait':
      return <p className="text-sm font-semibold">{t(enlistment)}</p>
    case 'ask':
      return (
        <ButtonLink to="/contact" variant="outline" className="wrap-anywhere">
          Ask the NSTP office
        </ButtonLink>
      )
  }
}

/** The buttons for the components that have places, shown where this component is full. */
export function OtherComponents({ component }: { component: NstpComponent }) {
  const availability = useEnlistmentAvailability()
  if (callToAction(availability, component) !== 'full') return null
  return othersToEnlistIn(availability, component).map((other) => <FormLink key={other} component={other} />)
}

function FormLink({ component }: { component: string }) {
  return (
    <ButtonLink to={`/register?component=${component}`} reloadDocument>{`Enlist in ${component}`}</ButtonLink>
  )
}
