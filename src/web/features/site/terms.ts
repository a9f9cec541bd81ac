interface TermsSection {
  title: string
  paragraphs: readonly string[]
}

interface TermsPage {
  title: string
  lead: string
  version: string
  sections: readonly TermsSection[]
}

/** When the terms change, change the version too. */
export const termsPage: TermsPage = {
  title: 'Terms of use',
  lead: 'What you may expect of this site, and what we ask of you.',
  version: '2026-11-21',
  sections: [
    {
      title: 'What this site is for',
      paragraphs: [
        'It serves the National Service Training Program of your school: students enlist, the NSTP office keeps their records, and announcements reach everybody. Using it costs nothing. Reading needs no account, and neither does enlisting.',
      ],
    },
    {
      title: 'When you enlist',
      paragraphs: [
        'Enlist yourself, once, and answer truthfully and completely: the school and the government offices in charge of the program rely on it. If somebody else fills in the form for you, make sure that the answers are yours.',
        'Submitting the form enlists you with the NSTP office. The office checks what you sent, and may ask you to correct or prove it. Completing the program takes what your school and the law require, not this form alone.',
        'Tell the people whom you name as parents, guardian or emergency contact that you named them.',
      ],
    },
    {
      title: 'What nobody may do here',
      paragraphs: [
        'Enlist others without their knowledge, give false answers, try to open what is not yours, send harmful files, or burden the site so that others cannot use it. The office may remove what was sent that way and follow the rules of the school.',
      ],
    },
    {
      title: 'Announcements and files',
      paragraphs: [
        'The office posts announcements with care. Where an announcement and a written notice of the school differ, ask the office which one holds. You may read, print and share announcements and their files for the purposes of the program. Pictures and texts remain with those who made them.',
        'Links to other sites are there to help. What those sites contain is up to whoever runs them.',
      ],
    },
    {
      title: 'When the site is not available',
      paragraphs: [
        'The office may close registration for a time, and work on the site may interrupt it. If you cannot enlist online before a deadline, go to the NSTP office.',
      ],
    },
    {
      title: 'Your data',
      paragraphs: [
        'What is collected, why, how long it is kept and which rights you have is told in the privacy notice. These terms take none of those rights away.',
      ],
    },
    {
      title: 'Changes',
      paragraphs: [
        'The office may change these terms; the day at the top tells since when they hold. Philippine law applies.',
      ],
    },
  ],
}
