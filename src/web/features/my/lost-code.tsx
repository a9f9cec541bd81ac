import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { TextField } from '#web/components/field.tsx'
import { useTranslation } from '#web/lib/translation.tsx'
import { BirthDateFields } from './birth-date-fields.tsx'
import { lostCodePath } from './entry.tsx'
import { MyFrame } from './my-frame.tsx'
import { errorIn, type Refusal } from './refusal.ts'

interface LostCodeProps {
  isSent: boolean
  refusal: Refusal | undefined
}

/** The screen says the same whether there is such a record or not. */
export function LostCode({ isSent, refusal }: LostCodeProps) {
  const t = useTranslation()
  const field = (name: string) => ({
    name,
    defaultValue: refusal?.typed[name],
    error: errorIn(refusal, name),
    required: true,
  })
  if (isSent) {
    return (
      <MyFrame title="Lost your code?" hasWayBack>
        <p role="status" className="rounded-box bg-success-soft px-4 py-3 font-medium text-success">
          {t(
            'If a record fits what you typed, its reference code is on the way to that e-mail address. It can take some minutes; look in the spam folder too.',
          )}
        </p>
        <p>
          {t(
            'No e-mail came? Then bring your school ID to the NSTP office: it can tell you your code or give you a slip.',
          )}
        </p>
      </MyFrame>
    )
  }
  return (
    <MyFrame
      title="Lost your code?"
      lead="Type what you entered when you enlisted. We mail your reference code to that e-mail address."
      hasWayBack
    >
      {refusal?.sentence && <ErrorBanner message={refusal.sentence} />}
      <form method="post" action={lostCodePath} noValidate className="flex flex-col gap-5">
        <TextField {...field('lastName')} label="Last Name" autoComplete="family-name" maxLength={100} />
        <TextField {...field('firstName')} label="First Name" autoComplete="given-name" maxLength={100} />
        <BirthDateFields
          name="birth"
          label="Your birth date"
          typed={refusal?.typed}
          error={errorIn(refusal, 'dateOfBirth')}
        />
        <TextField
          {...field('email')}
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
        />
        <Button type="submit" className="sm:self-start">
          Mail me my code
        </Button>
      </form>
    </MyFrame>
  )
}
