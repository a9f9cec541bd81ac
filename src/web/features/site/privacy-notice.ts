interface Point {
  term: string
  text: string
}

interface NoticeSection {
  title: string
  paragraphs: readonly string[]
  points: readonly Point[]
}

interface PrivacyNotice {
  introduction: string
  sections: readonly NoticeSection[]
}

// Replaced by the school's retention period.
export const retentionPlace = '{years}'

/**
 * The privacy notice (Republic Act 10173, sections 11 to 20, and its implementing rules). A school that words
 * it otherwise changes it here, and the version in #shared/consent.ts with it: records name the version that
 * their registrant agreed to. The retention period comes from the settings, whose changes the audit trail keeps.
 */
export const privacyNotice: PrivacyNotice = {
  introduction:
    'This notice tells what the NSTP office of your school collects when you enlist in the National Service Training Program, why, and what you can ask of it. It follows the Data Privacy Act of 2012 (Republic Act 10173).',
  sections: [
    {
      title: 'What we collect and why',
      paragraphs: [
        'Only what the enlistment form asks for. Fields that are not marked as required may stay empty.',
      ],
      points: [
        {
          term: 'Name and address',
          text: 'To identify you, to keep one training record, and for the lists and data sheets that the program requires.',
        },
        {
          term: 'Contact details',
          text: 'To confirm your enlistment, to send you announcements, and to reach you during training.',
        },
        {
          term: 'Birth, sex, civil status, citizenship, religion',
          text: 'To check that you are old enough, and for the data sheets of the defense department (ROTC) and of the Commission on Higher Education (CWTS).',
        },
        {
          term: 'Height, weight, blood type',
          text: 'For your safety in training and for the data sheets.',
        },
        {
          term: 'Government and school numbers',
          text: 'To match your record with the serial number that the government issues to graduates of the program.',
        },
        {
          term: 'Schooling, work, skills, hobbies',
          text: 'To place you in a course, a year and activities that suit you, and for the data sheets.',
        },
        {
          term: 'Parents, guardian, emergency contact',
          text: 'To reach somebody who is close to you when it matters. Please tell them that you named them.',
        },
        {
          term: 'Consent',
          text: 'When you agreed and to which version of this notice, because the law asks us to be able to show it.',
        },
      ],
    },
    {
      title: 'On what legal basis',
      paragraphs: [
        'Your school enlists you because Republic Act 9163 makes the program a requisite for graduation, which is a legal obligation of the school (RA 10173, section 12 (c)).',
        'Age, civil status, religion, health, education and government numbers are sensitive personal information. For these we ask your consent on the form (section 13 (a)). You may withdraw it at any time; what was done before stays lawful, and the office will tell you what it can no longer do for you.',
      ],
      points: [],
    },
    {
      title: 'Who sees it',
      paragraphs: [
        'Nobody buys it, and no advertising or tracking company gets anything. No other student can see your record.',
      ],
      points: [
        {
          term: 'The NSTP office',
          text: 'The coordinator of your school, after signing in. Nobody else can open your record.',
        },
        {
          term: 'Government offices',
          text: 'The Department of National Defense for ROTC, the Commission on Higher Education for CWTS and LTS: the lists and data sheets that the program requires, and nothing more.',
        },
        {
          term: 'The e-mail provider of the office',
          text: 'Delivers the messages that the office sends to you: it gets your e-mail address and what the message says, and nothing else of your record.',
        },
      ],
    },
    {
      title: 'E-mail',
      paragraphs: [
        'The office may confirm your enlistment by e-mail, and write to you about training. Every announcement and every message to many students has a link at its end by which you get no more of them. The portal remembers that wish by a code made of your address, from which nobody can read the address.',
        'The portal keeps a list of what it sent to you for a time that the office sets; what belongs to your record is erased with it. When a message to you comes back, the office learns of it, to ask you for an address that works.',
      ],
      points: [],
    },
    {
      title: 'How long we keep it',
      paragraphs: [
        `During your training, and afterwards as long as the school has to prove that you completed the program. The office archives your record when your training has ended, keeps it for ${retentionPlace} from then on, and erases it for good after that.`,
      ],
      points: [],
    },
    {
      title: 'How it is kept safe',
      paragraphs: [
        'Records lie in a database that only the portal can open, and the portal shows them only after signing in. Messages about faults never contain what you typed.',
        'If your information is ever exposed in a way that can harm you, the school informs you and the National Privacy Commission within 72 hours after learning of it.',
      ],
      points: [],
    },
    {
      title: 'On your own device',
      paragraphs: [
        'Looking around sets no cookies. After you enlist, one keeps your receipt for an hour, so that this browser can show it again; signing in to the office’s side sets the others. If you choose to keep your answers on your device while you fill in the form, they stay there, without your social security number, until you have enlisted. After 24 hours they are not used any more, and they are deleted as soon as any page of the portal is opened in that browser again. On a shared phone, leave that choice off.',
      ],
      points: [],
    },
    {
      title: 'If you are under 18',
      paragraphs: [
        'Please read this notice with your parent or guardian before you enlist. They may use your rights on your behalf and may write to the office at any time.',
      ],
      points: [],
    },
    {
      title: 'Your rights',
      paragraphs: ['Using them costs nothing. The office answers you in writing.'],
      points: [
        {
          term: 'To be informed',
          text: 'Before your data is used, and when anything in this notice changes.',
        },
        {
          term: 'To access',
          text: 'To see what is recorded about you, where it came from, and who received it.',
        },
        { term: 'To object', text: 'To refuse a use of your data, or to withdraw your consent.' },
        { term: 'To correct', text: 'To have mistakes put right, also with those who received them.' },
        {
          term: 'To erase or block',
          text: 'To have data removed that is false, unlawful, or no longer needed.',
        },
        {
          term: 'To take it along',
          text: 'To get a copy of your data in a common electronic format (data portability).',
        },
        {
          term: 'To be compensated',
          text: 'For damage from data that was false, unlawfully obtained or used without authority.',
        },
        {
          term: 'To complain',
          text: 'To the National Privacy Commission (privacy.gov.ph), if the office did not settle the matter.',
        },
      ],
    },
    {
      title: 'Whom to write to',
      paragraphs: [
        'The NSTP office of your school, in person or in writing, to the attention of the NSTP coordinator. Name your reference code if you have it. The office passes your request on to the data protection officer of the school where that is needed.',
      ],
      points: [],
    },
  ],
}
