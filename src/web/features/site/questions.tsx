import { ChevronDown } from 'lucide-react'
import { Link } from 'react-router'
import { useTranslation } from '#web/lib/translation.tsx'
import { textLinkClass } from './text-page.tsx'

export function QuestionItem({ item: { id, question, answer, link } }: { item: Question }) {
  const t = useTranslation()
  return (
    <details id={id} className="group scroll-mt-4 border-b first:border-t">
      <summary className="flex min-h-14 list-none items-center justify-between gap-4 py-3 font-semibold hover:text-primary [&::-webkit-details-marker]:hidden">
        <h3 className="min-w-0">{t(question)}</h3>
        <ChevronDown className="size-5 shrink-0 text-muted transition-transform group-open:rotate-180" />
      </summary>
      <div className="max-w-3xl pb-5">
        {answer.map((paragraph) => (
          <p key={paragraph} className="mb-2">
            {t(paragraph)}
          </p>
        ))}
        {link && (
          <Link to={link.to} className={`inline-flex min-h-11 items-center ${textLinkClass}`}>
            {t(link.label)}
          </Link>
        )}
      </div>
    </details>
  )
}

interface Question {
  id: string
  question: string
  answer: readonly string[]
  link?: { to: string; label: string }
}

export const faqPage = {
  title: 'Frequently asked questions',
  lead: 'The questions students ask most. If yours is not here, contact the NSTP office.',
  groups: [
    {
      title: 'Enlisting',
      questions: [
        {
          id: 'who',
          question: 'Who has to enlist?',
          answer: [
            'Every student in a degree course or a technical-vocational course of at least two years must complete one component before graduating (Republic Act 9163, section 5). Most take it in their first year.',
            'To register here you must be at least 16 years old.',
          ],
          link: { to: '/programs', label: 'About the program' },
        },
        {
          id: 'how',
          question: 'How do I register?',
          answer: [
            'Open the enlistment form, fill it in, choose ROTC or CWTS, agree to the privacy notice and submit. You do not need an account or a password. It takes about five minutes.',
          ],
          link: { to: '/register', label: 'Open the enlistment form' },
        },
        {
          id: 'prepare',
          question: 'What do I need?',
          answer: [
            'Your course and year level, your address and ZIP code, a working contact number and e-mail address, and the name and number of an emergency contact. Your student ID, blood type, height and weight are optional.',
            'You do not upload any documents. The office will tell you if it needs to see your school ID or another document.',
          ],
        },
        {
          id: 'lts',
          question: 'Why can’t I choose LTS on the form?',
          answer: [
            'Online enlistment is for ROTC and CWTS only. For the Literacy Training Service, ask the NSTP office.',
          ],
          link: { to: '/contact', label: 'Contact the office' },
        },
        {
          id: 'connection',
          question: 'I lost my connection while submitting. Am I enlisted?',
          answer: [
            'Press the button again when you are back online. Your answers are still there, and submitting the same form twice enlists you only once. You are enlisted when you see your reference code.',
          ],
        },
        {
          id: 'closed',
          question: 'The form says that registration is closed.',
          answer: [
            'The NSTP office opens and closes registration. The page shows the reason. Check the announcements to see when it reopens.',
          ],
          link: { to: '/announcements', label: 'Announcements' },
        },
      ],
    },
    {
      title: 'After registering',
      questions: [
        {
          id: 'next',
          question: 'What happens next?',
          answer: [
            'The office checks your registration and will contact you if anything is missing. Attend the orientation when it is announced, and bring your school ID. Schedules are posted under Announcements.',
          ],
          link: { to: '/announcements', label: 'Announcements' },
        },
        {
          id: 'lost-code',
          question: 'I lost my reference code. Do I have to register again?',
          answer: [
            'No. You are enlisted, and the office can find your record by your name. Bring your school ID, or write to the office from the e-mail address you registered with.',
            'For one hour after registering, you can also open your confirmation again in the same browser.',
          ],
          link: { to: '/contact', label: 'Contact the office' },
        },
        {
          id: 'no-e-mail',
          question: 'I did not get an e-mail after registering.',
          answer: [
            'If you saw your reference code, you are enlisted, with or without an e-mail. Check your spam folder first. If you may have mistyped your address, send the correct one to the office.',
          ],
          link: { to: '/contact', label: 'Contact the office' },
        },
        {
          id: 'mistake',
          question: 'I made a mistake in the form.',
          answer: [
            'Do not register again. Tell the office what to correct, and include your reference code if you have it.',
          ],
          link: { to: '/contact', label: 'Contact the office' },
        },
        {
          id: 'change-component',
          question: 'Can I change from one component to another?',
          answer: [
            'Ask the NSTP office before training begins. The office decides and updates your record. Registering again does not change it.',
            'You take both semesters in the same component. Whether you can change after one semester is decided by the NSTP office.',
          ],
          link: { to: '/contact', label: 'Contact the office' },
        },
      ],
    },
    {
      title: 'The program',
      questions: [
        {
          id: 'length',
          question: 'How long is the program?',
          answer: [
            'Two semesters, NSTP 1 and NSTP 2 (Republic Act 9163, section 6). Each usually has 3 units and 54 to 90 hours.',
          ],
        },
        {
          id: 'rotc-required',
          question: 'Is ROTC required?',
          answer: [
            'No. ROTC is optional and voluntary; one of the three components is required (Republic Act 9163, sections 4 and 5).',
          ],
          link: { to: '/programs', label: 'Compare the components' },
        },
        {
          id: 'serial-number',
          question: 'When do I get my serial number?',
          answer: [
            'After you pass both semesters. The school reports its graduates, then the Department of National Defense (ROTC) or the Commission on Higher Education (CWTS and LTS) issues the serial numbers. This can take a while. The office adds your number to your record when it arrives.',
          ],
        },
        {
          id: 'transfer',
          question: 'I transferred, or took NSTP at another school.',
          answer: [
            'Bring your records from the other school to the NSTP office before you register. The office will tell you what is credited and what you still need to take.',
          ],
          link: { to: '/contact', label: 'Contact the office' },
        },
      ],
    },
    {
      title: 'Your data',
      questions: [
        {
          id: 'who-sees',
          question: 'Who can see my answers?',
          answer: [
            'The NSTP office of your school, after signing in. It submits what the program requires: ROTC records to the Department of National Defense, CWTS and LTS records to the Commission on Higher Education. No other student can see your record.',
          ],
          link: { to: '/privacy', label: 'Privacy notice' },
        },
        {
          id: 'rights',
          question: 'Can I see, correct or delete my data?',
          answer: [
            'Yes. Under the Data Privacy Act (Republic Act 10173) you may ask the office to show, correct or delete your data or to give you a copy, or withdraw your consent. It is free. Data that the law requires the school to keep cannot be deleted before that period ends; the office will tell you if this applies.',
          ],
          link: { to: '/privacy', label: 'All your rights' },
        },
        {
          id: 'stop-e-mail',
          question: 'How do I stop announcements by e-mail?',
          answer: [
            'Use the link at the end of any announcement e-mail. You will still get e-mails meant only for you, such as your enlistment confirmation.',
          ],
        },
        {
          id: 'minor',
          question: 'I am 16 or 17. Can I register?',
          answer: [
            'Yes. Read the privacy notice with your parent or guardian first. They may exercise your rights on your behalf.',
          ],
          link: { to: '/privacy', label: 'Privacy notice' },
        },
      ],
    },
  ] as readonly { title: string; questions: readonly Question[] }[],
} as const
