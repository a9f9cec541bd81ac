// Replaced by the school's retention period.
export const retentionPlaceholder = '{years}'

/**
 * The privacy notice (Republic Act 10173, sections 11 to 20, and its implementing rules). A school that words
 * it otherwise changes it here, and the version in #shared/consent.ts with it: records name the version that
 * their registrant agreed to. The retention period comes from the settings, whose changes the audit trail keeps.
 */
export const privacyNotice = {
  introduction:
    'This notice explains what the NSTP office of your school collects when you enlist in the National Service Training Program, why, and what rights you have. It follows the Data Privacy Act of 2012 (Republic Act 10173).',
  sections: [
    {
      title: 'What we collect and why',
      paragraphs: [
        'Only what the enlistment form asks for. Fields that are not marked as required are optional.',
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
          text: 'To check your age, and for the data sheets of the Department of National Defense (ROTC) and the Commission on Higher Education (CWTS).',
        },
        { term: 'Height, weight, blood type', text: 'For your safety in training and for the data sheets.' },
        {
          term: 'Government and school numbers',
          text: 'To match your record with the serial number that the government issues to graduates of the program.',
        },
        {
          term: 'Schooling, work, skills, hobbies',
          text: 'To place you in the right course, year and activities, and for the data sheets.',
        },
        {
          term: 'Parents, guardian, emergency contact',
          text: 'To contact someone close to you in an emergency. Please let them know that you listed them.',
        },
        {
          term: 'Consent',
          text: 'When you agreed and to which version of this notice, because the law requires proof of consent.',
        },
      ],
    },
    {
      title: 'Legal basis',
      paragraphs: [
        'Your school enlists you because Republic Act 9163 makes the program a requirement for graduation, which is a legal obligation of the school (RA 10173, section 12 (c)).',
        'Age, civil status, religion, health, education and government numbers are sensitive personal information. We ask for your consent to these on the form (section 13 (a)). You may withdraw it at any time. Earlier use remains lawful, and the office will tell you what it can no longer do for you.',
      ],
      points: [],
    },
    {
      title: 'Who sees it',
      paragraphs: [
        'Your data is not sold, and not shared with advertising or tracking companies. No other student can see your record.',
      ],
      points: [
        {
          term: 'The NSTP office',
          text: 'The NSTP coordinator of your school, after signing in. No one else can open your record.',
        },
        {
          term: 'Government offices',
          text: 'The Department of National Defense for ROTC and the Commission on Higher Education for CWTS and LTS. They receive only the lists and data sheets that the program requires.',
        },
        {
          term: 'The e-mail provider of the office',
          text: 'Delivers the messages that the office sends to you. It receives your e-mail address and the message, and nothing else from your record.',
        },
      ],
    },
    {
      title: 'E-mail',
      paragraphs: [
        'The office may confirm your enlistment by e-mail, and write to you about training. Every announcement and bulk e-mail ends with a link to unsubscribe. The portal stores your choice as a code made from your address; the address cannot be read from that code.',
        'The portal keeps a list of the e-mails it sent to you for a period that the office sets. E-mails that belong to your record are deleted with it. If an e-mail to you bounces, the office is notified so that it can ask you for a working address.',
      ],
      points: [],
    },
    {
      title: 'How long we keep it',
      paragraphs: [
        `During your training, and afterwards for as long as the school must be able to prove that you completed the program. The office archives your record when your training ends, keeps it for ${retentionPlaceholder} after that, and then deletes it permanently.`,
      ],
      points: [],
    },
    {
      title: 'How we protect it',
      paragraphs: [
        'Records are stored in a database that only the portal can open, and the portal shows them only after signing in. Error logs never contain your answers.',
        'If your information is ever exposed in a way that can harm you, the school informs you and the National Privacy Commission within 72 hours of learning about it.',
      ],
      points: [],
    },
    {
      title: 'On your device',
      paragraphs: [
        'Browsing sets no cookies. If you choose another language, one cookie remembers it. After you enlist, one cookie stores your receipt for an hour so that this browser can show it again; signing in to the admin area sets the others. If you choose to keep your answers on your device while you fill in the form, they are stored there, without your social security number, until you have enlisted. After 24 hours they are no longer used, and they are deleted the next time a page of the portal is opened in that browser. Do not use this option on a shared phone.',
      ],
      points: [],
    },
    {
      title: 'If you are under 18',
      paragraphs: [
        'Read this notice with your parent or guardian before you enlist. They may exercise your rights on your behalf and may contact the office at any time.',
      ],
      points: [],
    },
    {
      title: 'Your rights',
      paragraphs: ['Using them is free. The office answers you in writing.'],
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
        { term: 'To correct', text: 'To have mistakes corrected, also with those who received your data.' },
        {
          term: 'To erase or block',
          text: 'To have data deleted that is false, unlawfully obtained or no longer needed.',
        },
        { term: 'To get a copy', text: 'Of your data in a common electronic format (data portability).' },
        {
          term: 'To be compensated',
          text: 'For damage from data that was false, unlawfully obtained or used without authority.',
        },
        {
          term: 'To complain',
          text: 'To the National Privacy Commission (privacy.gov.ph), if the office does not resolve the matter.',
        },
      ],
    },
    {
      title: 'Who to contact',
      paragraphs: [
        'The NSTP office of your school, in person or in writing, attention NSTP coordinator. Include your reference code if you have one. The office forwards your request to the school’s data protection officer if needed.',
      ],
      points: [],
    },
  ],
}
