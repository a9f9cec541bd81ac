import { announcementsPath } from '#shared/announcements/announcements.ts'
import { callToAction, othersToEnlistIn } from '#shared/site/calls-to-action.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { useEnlistmentAvailability, useSite } from '#web/lib/site.ts'
import { useTranslation } from '#web/lib/translation.tsx'

const allFull = 'ROTC and CWTS are full for this academic year. Ask the NSTP office.'

/** What decision 075 says to visitors beside the calls of the whole site: until when, from when, or why not. */
export function useEnlistmentSentence(): string | null {
  const { enlistment } = useSite()
  return callToAction(useEnlistmentAvailability()) === 'full' ? allFull : enlistment
}

/** Decision 075. @param children the words while students can enlist */
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

/** The state of one component's enlistment in a line. */
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

/** A full component leads to those with places. */
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

/** At a full component: those that have places. */
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
