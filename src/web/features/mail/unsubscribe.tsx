import type { AnnouncementChoice } from '#shared/mail/mail-response.ts'
import { AddressText } from '#web/components/address-text.tsx'
import { Button } from '#web/components/button.tsx'

interface AnnouncementChoiceFormProps {
  choice: AnnouncementChoice
  isChanged: boolean
}

/** A plain form: it works without scripts. */
export function AnnouncementChoiceForm({ choice, isChanged }: AnnouncementChoiceFormProps) {
  const { address, announcements } = choice
  const [title, text, label] = announcements
    ? [
        'Announcements by e-mail',
        'receives announcements from the NSTP office.',
        'Stop announcements by e-mail',
      ]
    : [
        'Announcements by e-mail stopped',
        'no longer receives announcements from the NSTP office.',
        'Resume announcements by e-mail',
      ]
  return (
    <section className="rounded-box border bg-card p-5 shadow-card sm:p-8">
      <h1 className="text-2xl font-bold tracking-tight">{title}</h1>
      <p role={isChanged ? 'status' : undefined} className="mt-3 text-lg wrap-anywhere">
        <strong>
          <AddressText text={address} />
        </strong>{' '}
        {text}
      </p>
      <p className="mt-2 text-muted">
        Messages about your own enlistment, such as its confirmation, are still sent.
      </p>
      <form method="post" className="mt-6">
        <Button
          type="submit"
          name="announcements"
          value={announcements ? 'no' : 'yes'}
          variant={announcements ? 'primary' : 'outline'}
          className="max-sm:w-full"
        >
          {label}
        </Button>
      </form>
    </section>
  )
}
