import { ChevronDown } from 'lucide-react'
import { Link } from 'react-router'
import { textLinkLook } from './text-page.tsx'

export function QuestionItem({ item: { id, question, answer, link } }: { item: Question }) {
  return (
    <details id={id} className="group scroll-mt-4 border-b first:border-t">
      <summary className="flex min-h-14 list-none items-center justify-between gap-4 py-3 font-semibold hover:text-primary [&::-webkit-details-marker]:hidden">
        <h3 className="min-w-0">{question}</h3>
        <ChevronDown
          aria-hidden="true"
          className="size-5 shrink-0 text-muted transition-transform group-open:rotate-180"
        />
      </summary>
      <div className="max-w-3xl pb-5">
        {answer.map((paragraph) => (
          <p key={paragraph} className="mb-2">
            {paragraph}
          </p>
        ))}
        {link && (
          <Link to={link.to} className={`inline-flex min-h-11 items-center ${textLinkLook}`}>
            {link.label}
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

interface QuestionGroup {
  title: string
  questions: readonly Question[]
}

export const faqPage = {
  title: 'Frequently asked questions',
  lead: 'What students ask the NSTP office most. If yours is not here, write to the office.',
  groups: [
    {
      title: 'Enlisting',
      questions: [
        {
          id: 'who',
          question: 'Who has to enlist?',
          answer: [
            'Every student of a degree course, or of a technical-vocational course of at least two years, completes one component of the program before graduating (Republic Act 9163, section 5). Most take it in their first year.',
            'To register here you must be at least 16 years old.',
          ],
          link: { to: '/programs', label: 'About the program' },
        },
        {
          id: 'how',
          question: 'How do I register?',
          answer: [
            'Open the enlistment form, answer it, choose ROTC or CWTS, agree to the privacy notice and submit. You need no account and no password. It takes about five minutes.',
          ],
          link: { to: '/register', label: 'Open the enlistment form' },
        },
        {
          id: 'prepare',
          question: 'What should I have at hand?',
          answer: [
            'Your course and year level, your address and ZIP code, a working contact number and e-mail address, and the name and number of somebody to call in an emergency. Your student number, blood type, height and weight help, but may stay empty.',
            'You upload no documents. If the office wants to see your school ID or another paper, it tells you.',
          ],
        },
        {
          id: 'lts',
          question: 'Why can I not choose LTS on the form?',
          answer: [
            'Online enlistment is open for ROTC and CWTS. For the Literacy Training Service, please ask the NSTP office.',
          ],
          link: { to: '/contact', label: 'Contact the office' },
        },
        {
          id: 'connection',
          question: 'My connection broke while I was submitting. Am I enlisted?',
          answer: [
            'Press the button again when you are online. What you typed is still there, and the same form sent twice enlists you only once. You are enlisted when you see your reference code.',
          ],
        },
        {
          id: 'closed',
          question: 'The form says that registration is closed.',
          answer: [
            'The office opens and closes registration. The page says why it is closed; the announcements tell when it opens again.',
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
            'The office checks your registration and calls or writes to you if something is missing. Come to the orientation when the office calls it, and bring your school ID. Schedules are posted under Announcements.',
          ],
          link: { to: '/announcements', label: 'Announcements' },
        },
        {
          id: 'lost-code',
          question: 'I lost my reference code. Do I have to register again?',
          answer: [
            'No. You are enlisted, and the office finds your record by your name. Bring your school ID, or write to the office from the e-mail address that you registered with.',
            'Within an hour after registering, the same browser can also show your receipt again.',
          ],
          link: { to: '/contact', label: 'Contact the office' },
        },
        {
          id: 'no-e-mail',
          question: 'I got no e-mail after registering.',
          answer: [
            'You are enlisted when you have seen your reference code, with or without an e-mail. Look into the spam folder first. If you may have mistyped your address, tell the office the right one.',
          ],
          link: { to: '/contact', label: 'Contact the office' },
        },
        {
          id: 'mistake',
          question: 'I made a mistake in the form.',
          answer: [
            'Please don’t register a second time. Tell the office what to correct, with your reference code if you have it.',
          ],
          link: { to: '/contact', label: 'Contact the office' },
        },
        {
          id: 'change-component',
          question: 'Can I change from one component to another?',
          answer: [
            'Ask the NSTP office before training begins. The office decides, and changes it in your record; a second registration doesn’t change anything.',
            'Both semesters count for the component that you take. Whether a semester of one component can be followed by one of another is for the office to say.',
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
            'Two semesters, NSTP 1 and NSTP 2 (Republic Act 9163, section 6). They usually carry 3 units each, with 54 to 90 hours a semester.',
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
            'After you have passed both semesters. The school reports its graduates; the Department of National Defense numbers those of ROTC, the Commission on Higher Education those of CWTS and LTS. That can take a while. The office keeps the number in your record when it arrives.',
          ],
        },
        {
          id: 'transfer',
          question: 'I transferred, or took NSTP elsewhere.',
          answer: [
            'Bring your records of the earlier school to the NSTP office before you register. It tells you what counts and what is left to take.',
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
          question: 'Who sees what I wrote?',
          answer: [
            'The NSTP office of your school, after signing in. It passes on what the program requires: ROTC records to the Department of National Defense, CWTS and LTS records to the Commission on Higher Education. No other student sees your record.',
          ],
          link: { to: '/privacy', label: 'Privacy notice' },
        },
        {
          id: 'rights',
          question: 'Can I see, correct or delete my data?',
          answer: [
            'Yes. Under the Data Privacy Act (Republic Act 10173) you may ask the office to show, correct, hand over or erase your data, or withdraw your consent. It costs nothing. What the law makes the school keep, it can’t erase before its time; then it tells you so.',
          ],
          link: { to: '/privacy', label: 'Your rights in full' },
        },
        {
          id: 'stop-e-mail',
          question: 'How do I stop announcements by e-mail?',
          answer: [
            'Press the link at the end of any of them. You still get what is meant for you alone, such as the confirmation of your enlistment.',
          ],
        },
        {
          id: 'minor',
          question: 'I am 16 or 17. May I register?',
          answer: [
            'Yes. Please read the privacy notice with your parent or guardian first. They may use your rights on your behalf.',
          ],
          link: { to: '/privacy', label: 'Privacy notice' },
        },
      ],
    },
  ] satisfies QuestionGroup[] as readonly QuestionGroup[],
} as const
