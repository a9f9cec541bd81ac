import { Link } from 'react-router'
import { myPath } from '#shared/my/my-path.ts'
import type { StudentState } from '#shared/my/my-response.ts'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { TextField } from '#web/components/field.tsx'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { useTranslation } from '#web/lib/translation.tsx'
import { BirthDateFields } from './birth-date-fields.tsx'
import { ActionButton, Facts, Fold, linkClass, MyFrame, Part, restrictionWords } from './my-frame.tsx'
import { errorIn, type Refusal } from './refusal.ts'

export const lostCodePath = `${myPath}/lost-code`

const referenceField = {
  name: 'reference',
  label: 'Your reference code',
  placeholder: 'NSTP-7KQ4-M2XD',
  autoCapitalize: 'characters',
  autoComplete: 'off',
  spellCheck: false,
  maxLength: 60,
  required: true,
} as const

/** The first step: a reference code and a birth date, or at once a slip. */
export function Entry({ refusal }: { refusal: Refusal | undefined }) {
  const t = useTranslation()
  const entered = refusal?.intent === 'enter' ? refusal : undefined
  return (
    <MyFrame
      title="My NSTP"
      lead="Your section, your result, your serial number and your record. You need no account: you enter with the reference code that you got when you enlisted."
    >
      {refusal?.sentence && <ErrorBanner message={refusal.sentence} />}
      <form method="post" action={myPath} noValidate className="flex flex-col gap-5">
        <input type="hidden" name="intent" value="enter" />
        <TextField
          {...referenceField}
          defaultValue={entered?.typed.reference}
          error={errorIn(entered, 'reference')}
        />
        <BirthDateFields
          name="birth"
          label="Your birth date"
          typed={entered?.typed}
          error={errorIn(entered, 'dateOfBirth')}
        />
        <Button type="submit" className="sm:self-start">
          Continue
        </Button>
      </form>
      <div className="flex flex-col items-start gap-2">
        <Link to={lostCodePath} className={linkClass}>
          {t('Lost your code?')}
        </Link>
        <SlipForm refusal={refusal} asksReference />
      </div>
    </MyFrame>
  )
}

/** After the first step the reference is known. */
function SlipForm({
  refusal,
  asksReference = false,
}: {
  refusal: Refusal | undefined
  asksReference?: boolean
}) {
  const refused = refusal?.intent === 'slip' ? refusal : undefined
  // What was typed above, or in this form.
  const typed = refusal?.typed.reference
  return (
    <Fold title="I have a slip from the office" isOpen={refused !== undefined}>
      <form method="post" action={myPath} noValidate className="flex flex-col gap-5">
        <input type="hidden" name="intent" value="slip" />
        {asksReference && (
          <TextField
            {...referenceField}
            id="slip-reference"
            defaultValue={typed}
            error={errorIn(refused, 'reference')}
          />
        )}
        <TextField
          id="slip-code"
          name="code"
          label="Code on the slip"
          hint="12 letters and digits"
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
          maxLength={60}
          error={errorIn(refused, 'code')}
          required
        />
        <Button type="submit" className="sm:self-start">
          Open my page
        </Button>
      </form>
    </Fold>
  )
}

const placements = {
  enlisted: 'You are enlisted.',
  waiting: 'You are enlisted and wait for a section.',
  placed: 'You are placed in a section.',
} as const

interface SecondStepProps {
  state: StudentState
  refusal: Refusal | undefined
}

/** After the first step: words alone, and the way to the second. */
export function SecondStep({ state, refusal }: SecondStepProps) {
  const t = useTranslation()
  const { academicYear, archived, restriction, placement, openRequests, hasCertificate } = state
  const words = [
    archived ? 'Your record is archived.' : placements[placement],
    restriction && restrictionWords[restriction],
    openRequests > 0 && `Your open requests: ${openRequests}.`,
    hasCertificate && 'A certificate was issued to you.',
  ]
  return (
    <MyFrame title="My NSTP" hasLeave>
      {refusal?.sentence && <ErrorBanner message={refusal.sentence} />}
      <Part id="words" title="We found your record">
        <Facts facts={[['Academic Year', academicYear]]} />
        <ul className="flex list-disc flex-col gap-1 pl-5">
          {words.map((text) => text && <li key={text}>{t(text)}</li>)}
        </ul>
      </Part>
      <Part id="second-step" title="One more step">
        <p>
          {t(
            'Others may know your reference code and your birth date. So the page with your section, your marks and your record opens with a second code.',
          )}
        </p>
        <MailedCode state={state} refusal={refusal} />
        <SlipForm refusal={refusal} />
        <p className="text-sm text-muted">
          {t('The NSTP office hands out slips: bring your school ID. A new slip ends the old one.')}
        </p>
      </Part>
    </MyFrame>
  )
}

/** The sentence of each state but sent and spent, which name a time. */
const codeMailSentences = {
  ready: 'We can mail a code of six digits to the e-mail address in your record.',
  changed:
    'The e-mail address in your record was changed in the last 7 days. Codes go there after that time; until then a slip opens your page.',
  refused: 'The address in your record takes no mail. Ask the office for a slip.',
  held: 'E-mails are delayed at the moment. Try again in a while, or use a slip.',
  off: 'No code can be mailed to you. A slip opens your page.',
} as const

function MailedCode({ state: { mail }, refusal }: SecondStepProps) {
  const t = useTranslation()
  const { momentOf, timeOf } = useInstantTexts()
  const refused = refusal?.intent === 'code' ? refusal : undefined
  const until = mail.until ?? ''
  if (mail.state === 'spent') {
    const sentence = `No more codes can be mailed today. Try again after ${momentOf(until)}, or use a slip.`
    return <p>{t(sentence)}</p>
  }
  if (mail.state !== 'sent') {
    return (
      <>
        <p>{t(codeMailSentences[mail.state])}</p>
        {mail.state === 'ready' && (
          <ActionButton intent="mail" variant="primary">
            Mail me a code
          </ActionButton>
        )}
      </>
    )
  }
  return (
    <>
      <p role="status">
        {t('A code is on its way to the e-mail address in your record. Look in the spam folder too.')}{' '}
        {/* Within ten minutes, so without the day. */}
        {t(`If none has come, you can ask for another at ${timeOf(until)}.`)}
      </p>
      <form method="post" action={myPath} noValidate className="flex flex-wrap items-end gap-3">
        <input type="hidden" name="intent" value="code" />
        <TextField
          name="code"
          label="Code from the e-mail"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={20}
          error={errorIn(refused, 'code')}
          className="min-w-[min(12rem,100%)] flex-1"
          required
        />
        <Button type="submit">Open my page</Button>
      </form>
    </>
  )
}
