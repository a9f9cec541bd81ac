import { type MailToChoice, mailToChoices } from '#shared/announcement-mail.ts'
import type { ManagedAnnouncement } from '#shared/announcements.ts'
import { mailSentences } from '#shared/mail.ts'
import { SelectField } from '#web/components/select-field.tsx'
import { countOf } from '#web/lib/count-text.ts'
import { useInstantTexts } from '#web/lib/instant-texts.ts'
import { mailToLabels } from './mail-to-labels.ts'
import type { AnnouncementForm } from './use-announcement-form.ts'
import { type MailAudience, useMailAudience, useMailConfigured } from './use-mail-audience.ts'

interface MailFieldProps {
  form: AnnouncementForm
  /** As the announcement is; null for a new one. */
  held: ManagedAnnouncement | null
}

const options = mailToChoices.map((value) => ({ value, label: mailToLabels[value] }))

/** Who gets the announcement by e-mail when it is published, and how many that are. */
export function MailField({ form: { values, change, errorOf }, held }: MailFieldProps) {
  const { momentOf } = useInstantTexts()
  const isConfigured = useMailConfigured()
  const mailedAt = held?.mailedAt ?? null
  const audience = useMailAudience(mailedAt === null ? values.mailTo : 'nobody')
  const hint =
    mailedAt !== null
      ? `E-mailed on ${momentOf(mailedAt)}. Later changes are not e-mailed.`
      : isConfigured === false
        ? mailSentences.notConfigured
        : hintOf(values.mailTo, audience)
  return (
    <SelectField
      name="mailTo"
      label="Send by e-mail when published"
      density="compact"
      options={options}
      hint={hint}
      value={values.mailTo}
      error={errorOf('mailTo')}
      disabled={mailedAt !== null || isConfigured !== true}
      onChange={({ target }) =>
        change({ mailTo: mailToChoices.find((choice) => choice === target.value) ?? 'nobody' })
      }
    />
  )
}

function hintOf(choice: MailToChoice, audience: MailAudience): string {
  if (choice === 'nobody') return 'It is only shown on the site.'
  if (audience === 'reading') return 'Counting the students…'
  if (audience === 'failed') return 'To the active students of this choice. They could not be counted now.'
  const { count, optedOut } = audience
  const leftOut =
    optedOut === 0 ? '' : ` ${countOf(optedOut, 'student')} who want no announcements are left out.`
  return `${countOf(count, 'active student')} at the moment.${leftOut}`
}
