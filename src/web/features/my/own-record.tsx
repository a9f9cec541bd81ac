import type { MyRecord } from '#shared/my/own-page-response.ts'
import { roleNames } from '#shared/people/permissions.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { useTranslation } from '#web/lib/translation.tsx'
import { Facts, linkClass, MyFrame, Part } from './my-frame.tsx'
import { useValueText } from './own-page.tsx'

const readingWords = {
  opened: 'Opened',
  printed: 'Printed',
  downloaded: 'Downloaded',
  slip: 'Slip made',
  phone: 'Phone numbers seen',
} as const
const readerNames = { ...roleNames, student: 'You', portal: 'The portal' }

/** What the office holds of the student, and who opened it. */
export function OwnRecord({ sections, consent, readings }: MyRecord) {
  const t = useTranslation()
  const { dayOf } = useInstantTexts()
  const valueText = useValueText()
  const held = sections
    .map(({ title, fields }) => ({ title, fields: fields.filter(({ value }) => value !== '') }))
    .filter(({ fields }) => fields.length > 0)
  return (
    <MyFrame title="My record" hasWayBack hasLeave>
      <a href="/api/my/file.xlsx" download className={`self-start ${linkClass}`}>
        {t('Download everything as one file (Excel)')}
      </a>
      {held.map(({ title, fields }) => (
        <Part key={title} id={title} title={title}>
          <Facts facts={fields.map(({ field, label, value }) => [label, valueText(field, value)] as const)} />
        </Part>
      ))}
      <Part id="consent" title="Your consent">
        <Facts
          facts={[
            ['Given on', dayOf(consent.at)],
            ['Version of the privacy notice', consent.version],
            [
              'Parent / guardian',
              consent.guardian && `${consent.guardian.name}, ${dayOf(consent.guardian.at)}`,
            ],
          ]}
        />
      </Part>
      <Part id="readings" title="Who opened or downloaded it">
        {readings.length === 0 ? (
          <p>{t('Nobody so far.')}</p>
        ) : (
          <ul className="flex flex-col gap-1">
            {readings.map(({ day, what, by, times }) => (
              <li key={`${day} ${what} ${by}`}>
                {dayOf(`${day}T12:00:00Z`)}: {t(readingWords[what])}, {t(readerNames[by])}
                {times > 1 && ` (${times}×)`}
              </li>
            ))}
          </ul>
        )}
        <p className="text-sm text-muted">
          {t(
            'People of the office also see students in lists, class lists and papers, which is not noted for each student.',
          )}
        </p>
      </Part>
    </MyFrame>
  )
}
