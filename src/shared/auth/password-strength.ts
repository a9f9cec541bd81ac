// Estimates the cheapest way to build the password from common words, names, years, sequences, key rows and repetitions. In bits.

// bits: below it a password is refused.
export const leastBits = 40

const productWords = [
  ...['nstp', 'rotc', 'cwts', 'lts', 'portal', 'coordinator', 'administrator', 'admin', 'office', 'local'],
  ...['school', 'college', 'university', 'campus', 'student', 'enlistment', 'enlist', 'registration'],
  ...['national', 'service', 'training', 'program', 'reserve', 'officers', 'civic', 'welfare', 'literacy'],
  ...['philippines', 'pilipinas', 'pinoy', 'manila', 'mabuhay', 'mahalkita', 'password', 'passphrase'],
  ...['passcode', 'pass', 'word', 'phrase', 'login', 'signin', 'welcome', 'letmein', 'secret', 'change'],
]

const rowsOfKeys = [
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  '1234567890',
  'abcdefghijklmnopqrstuvwxyz',
  '0123456789',
]
const sequences = rowsOfKeys.flatMap((row) => [row, [...row].reverse().join('')])
const columnsOfKeys = '1qaz2wsx3edc4rfv5tgb6yhn7ujm'

const disguises: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

// bits
const costs = { letter: 4.7, digit: 3.3, other: 5, known: 3, common: 11, year: 6, sequence: 4, again: 2 }
const longestPart = 24

/**
 * @param ownWords names that an attacker knows
 * @returns bits; 0 for an empty password
 */
export function passwordBits(password: string, ownWords: readonly string[] = []): number {
  const text = password.normalize('NFKC').toLowerCase()
  const plain = [...text].map((character) => disguises[character] ?? character).join('')
  const known = new Set([...productWords, ...ownWords.flatMap(wordsOf)])
  const repeats = createRepeatFinder(text)
  // The cheapest way to each position of the text.
  const cheapest = [0]
  const upTo = (end: number) => cheapest[end] ?? 0
  for (let end = 1; end <= text.length; end++) {
    let least = upTo(end - 1) + costOfCharacter(text.charAt(end - 1))
    for (let start = Math.max(0, end - longestPart); start < end - 1; start++) {
      const cost = costOfPart(text.slice(start, end), plain.slice(start, end), known)
      least = Math.min(least, upTo(start) + cost)
    }
    for (const start of repeats.endingAt(end)) least = Math.min(least, upTo(start) + costs.again)
    cheapest.push(least)
  }
  return upTo(text.length)
}

function wordsOf(text: string): string[] {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= 3)
}

function costOfCharacter(character: string): number {
  if (/\p{L}/u.test(character)) return costs.letter
  return /\d/.test(character) ? costs.digit : costs.other
}

function costOfPart(part: string, undisguised: string, known: ReadonlySet<string>): number {
  if (known.has(part) || known.has(undisguised)) return costs.known
  if (commonWords.has(part) || commonWords.has(undisguised)) return costs.common
  if (isSequence(part)) return costs.sequence + Math.log2(part.length)
  if (/^(19|20)\d\d$/.test(part)) return costs.year
  return Number.POSITIVE_INFINITY
}

function createRepeatFinder(text: string) {
  // By period: how many characters up to here equal those one period before.
  const lengths = Array<number>(longestPart + 1).fill(0)
  return {
    endingAt(end: number): number[] {
      const starts: number[] = []
      for (let period = 1; period <= longestPart; period++) {
        const isSame = end > period && text[end - 1] === text[end - 1 - period]
        const length = isSame ? (lengths[period] ?? 0) + 1 : 0
        lengths[period] = length
        if (length >= Math.max(period, 2)) starts.push(end - length)
      }
      return starts
    },
  }
}

function isSequence(part: string): boolean {
  if (part.length < 3) return false
  return columnsOfKeys.includes(part) || sequences.some((sequence) => sequence.includes(part))
}

// Words of five letters and more from the list of John the Ripper ("compiled by Solar Designer of Openwall Project, in 1996 through 2011; assumed to
// be in the public domain"). Load it on demand: it is large.
const commonWords: ReadonlySet<string> = new Set(
  `
aaliyah aardvark aaron abacab abbott abcde abcdef abcdefg abigail absolut access accord account acropolis
action active acura adidas admin adrian adriana adrock aerobics africa agent airborne airwolf alaska albert
alberto alejandra alejandro alexander alexandr alexandra alexis alfaro alfred alfredo alice alicia alien
aliens alina aline alison allegro allen allison allstate aloha alpha alpine altamira althea altima alyssa
amanda amazing amber amelia amelie america amigas amigos amistad amorcito amores amour anaconda anamaria
anders anderson andre andrea andreea andrei andres andrew andromeda angel angela angeles angelica angelina
angelito angelo angels angie angus animal animals anita anneli annette annie antares anthony antonio
anything apache apollo apple applepie apples april aptiva aquarius aragorn archie ariana ariane ariel
arizona arlene armando arnold arrow arsenal artemis arthur artist arturo asdfasdf asdfg asdfgh asdfghjk
asdfghjkl asdfjkl ashlee ashley ashraf ashton aspen asshole assmunch asterix athena attila august austin
autumn avalon avatar avenger avenir awesome ayelet aylmer babes babyblue babyboo babyboy babydoll babyface
babygirl babygurl babyko babylon babylove backup badboy badger badgirl bailey baller bambam bambi bamboo
banana bananas bandit baraka barbara barbie barcelona barney barnyard barrett barry bartman baseball basil
basket basketball bastard batista batman bball beaches beagle beaner beanie beans bears beast beasty beatles
beatrice beatriz beautiful beauty beaver beavis bebita becca beckham belgium belize bella belle belmont
benfica benjamin benji benny benoit benson beowulf bernard bernardo bernie berry bertha beryl bestfriend
bestfriends betacam betsy betty bettyboop beyonce bharat bhebhe bianca bichon bigal bigben bigbird bigboss
bigdog biggles bigmac bigman bigred biker bilbo billabong bills billy bimmer bingo binky biochem biology
birdie birdy birthday biscuit bishop bismillah bitch biteme bitter blabla black blackjack blahblah blanche
blazer blessed blessing blinds blink bliss blitz blizzard blonde blondie blood blowfish blowjob blowme
bluebird blueeyes bluefish bluejean blues bluesky bobby bobcat bogart bogey bogus bombay bonita bonjour
bonnie bonzo boobie booboo booger boogie boomer booster boots bootsie boris bosco boston boulder bourbon
bowwow boxer boxers bradley brain branch brandi brandon brandy braves brazil brenda brent brewster brian
brianna bridge bridges bright britain britney brittany broadway broken broker bronco bronte brooke brooklyn
brother bruce bruno brutus bryan bubba bubble bubblegum bubbles bucks buddha buddy budgie buffalo buffett
buffy bugsy bulldog bullet bulls bullshit bunny burns burton business buster butch butler butter buttercup
butterfly butthead button buttons byron byteme cactus caesar caitlin calendar calgary california calvin
camaro camay camel camera cameron camila camille campbell camping canada cancer candy canela cannon
cannondale canon cantik capricorn captain carbon cardinal carebear carlitos carlos carmen carnage carol
carole carolina caroline carolyn carrie carrot carter cascade casey casper cassandra cassie castle catalina
catalog catch catdog catfish catherine cathy catnip catwoman cecile cecilia celeste celica celine celtic
celtics cement center cesar cessna chacha chainsaw challenge chameleon champion champs chance chandler
chanel chang change changeit changeme chantal chaos chapman charger charity charles charlie charlotte
charmed cheche cheerleader cheese chelsea cherry cheryl chess chester chevy cheyenne chiara chicago chichi
chicken chico chiefs china chinacat chinook chiquita chivas chloe chocolat chocolate chouette chris
chrisbrown christ christia christian christin christina christine christmas christoph christopher christy
chronos chubby chuck church cicero cinder cinderella cindy cinema circuit cirque cirrus civic civil claire
clancy clapton clark clarkson class classroom claude claudel claudia cliff clipper clock cloclo clueless
cobain cobra cocacola coffee colette colleen college colombia color colorado colors coltrane columbia comet
commander compaq compton computer concept concorde confused connect connie connor conrad content control
cookie cookies cooking coolbean coolness cooper cooter copper corazon cordelia corky cornflake corona
corrado corvette corwin cosmo cosmos cougar cougars country courier courtney cowboy cowboys coyote crack
cracker craig crawford crazy creative crescent cricket cristian cristina cross crowley cruise crusader
crystal cthulhu cuddles cuervo cunningham cupcake current curtis cuteako cuteme cutie cutiepie cutlass cyber
cyclone cynthia cyrano daddy daddysgirl daedalus dagger daily daisie daisy dakota dallas damian dammit dance
dancer dancing daniel daniela danielle danny daphne darkangel darkman darkness darkstar darling darren
darryl darwin dasha database david davids daytek deadhead death debbie deborah december decker deedee
deeznuts delano delete delfin deliver delta demon denali denis denise dennis denny depeche derek desert
design desiree deskjet destiny detroit deutsch devil devine devon dexter dharma diablo diamond diamonds
diana diane dianne dickens dickhead diego diesel digger digital dilbert dillweed dinamo dipper director
disco disney dixie dixon doctor dodger dodgers dogbert doggy doitnow dollar dollars dolly dolphin dolphins
dominic dominique domino donald donkey donna dontknow doogie dookie doors dorothy doudou dougie douglas
downtown draft dragon dragonfly dreamer dreams driver drowssap duckie dudley dumbass dundee dustin dusty
dutch dutchess dwarfs dwight dylan eagle eagles easter eastern eclipse eddie edith edmund eduardo edward
eeyore effie eieio eight einstein elaine electric element elephant elijah elina elissa elizabeth ellen
elliot elsie elvis emerald emily eminem emmanuel emmitt empire energy engage england enigma enrique enter
enterprise entropy erika ernie escort estelle esther estrella estrellita etoile eugene europe evelyn
excalibur excel explore explorer export express faculty fairview faith falcon familia family farmer farout
farside fashion fatboy fatima faust fearless february feedback felipe felix fender fenris ferguson fernanda
fernando ferrari ferret ferris fiction fidel figaro finance fiona fireball firebird fireman firenze first
fisher fishes fishhead fishie fishing flamingo flanders flash fletch fletcher fleurs flight flipper flores
florida flower flowerpot flowers floyd fluffy flute flyboy flyer foobar football forest forever fortune
forum forward foster fountain foxtrot fozzie france francesco francine francis francisco francois frank
franka frankie franklin freak freddie freddy frederic freebird freedom freeman french friday friend friends
friendship friendster frisco fritz frodo froggie froggies froggy frogs front frontier fubar fucker fuckface
fuckme fuckoff fucku fuckyou fugazi funguy funtime future gabby gabriel gabriela gabriell gaelic galaxy
galileo gambit gambler games gammaphi ganda gandako gandalf gangsta gangster garcia garden garfield
garfunkel gargoyle garlic garnet garth gasman gaston gateway gatita gatito gator gemini general genesis
genius george georgia gerald gerard german germany geronimo getout ggeorge ghost giants gibbons gibson
gilbert gilgamesh gilles ginger giselle gizmo glenn glider glitter global gloria gmoney goaway goblin goblue
gocougs godiva godzilla goethe gofish goforit golden goldfish golfer gollum goober goodluck goofy google
goose gopher gordon gorgeous grace gracie graham gramps grandma grant graphic grateful gravis greed green
greenday gregory gremlin greta gretchen gretel gretzky grizzly groovy grover grumpy guess guest guido
guinness guitar gumby gundam gunner gustavo hacker haggis hahaha hailey hallo halloween hallowell hamid
hamilton hamlet hammer hanna hannah hansolo hanson happy happyday hardcore harley harold harriet harris
harrison harry harrypotter harvard harvey hawaii hawkeye hayden hazel health heart hearts heather heaven
hector hedgehog heidi heikki helen helena helene hello hellohello hellokitty helper helpme hendrix henry
herbert herman hermes hermosa hernandez hershey herzog heythere highland hilbert hilda hillary hiphop
histoire history hithere hitler hobbes hobbit hockey holiday holly hollywood homebrew homer homerj honda
honey honeyko hongkong hoops hoosier hootie horizon hornet horse horses hosehead hotdog hotmail hotrod
hotstuff hottie house houston howard huang hudson hummer hunter huskies hydrogen ibanez icecream iceman
idiot idontknow iforget iguana ihateyou ilmari ilovegod ilovehim ilovejesus iloveme iloveu iloveyou image
imagine imissyou impact impala indian indiana indigo indonesia informix ingvar inlove insane inside insight
instructor integra integral intern internet intrepid inuyasha iomega ireland irene irina irish irmeli
ironman isaac isabel isabella isabelle isaiah island israel italia italy iubire iverson jackass jackie
jackson jacob jaguar jakey jamaica james jamesbond jamie jamjam janet janice janine january japan jared
jasmin jasmine jason jasper javier jayden jayjay jayson jazmin jeanette jeanne jeepster jeffrey jenifer
jenni jennie jennifer jenny jensen jeremiah jeremy jerome jerry jersey jesse jessica jessie jester
jesucristo jesus jesuschrist jethro jethrotull jetta jewels jimbo jimbob jimmy joanie joanna joanne joelle
johan johanna johncena johnny johnson joker jonathan jordan jordie jorge josee joseph joshua josie journey
joyce jubilee judith juhani jules julia julian juliana julie julien juliet julius jumanji jumbo junebug
junior juniper jupiter jussi justdoit justice justin justine justme kalamazoo kangaroo karen karin karina
karine karla karma katerina katherine kathleen kathy katie katrina kayla keeper keepout keith keller kelly
kelsey kendall kennedy kenneth kenny kerala kermit kerrya ketchup kevin kidder killer kimberly kingdom
kingfish kings kissa kisses kissme kitkat kitten kitty kittycat kleenex knicks knight koala kombat kramer
kristen kristi kristin kristina kristine labtec lacrosse laddie ladybug lakers lalala lambda lamer lance
larry laser laserjet lassie laura laurel lauren laurie lawrence lawson lawyer leader leanne leblanc ledzep
legal legend legolas leland lemon leonard leonardo leslie lestat lester letmein letter letters lexus liberty
libra library light lights liliana lilmama lincoln linda lindsay lindsey linkinpark lionel lionking lions
lipgloss lissabon little liverpool lizard lizzie lizzy lloyd logan logger logical logos loislane lokita
lolipop lolita lollipop lollypop london lonely lonestar longer longhorn looking looney loren lorena lorna
lorraine lorrie loser lotus louis louise lovebug lovelove lovely loveme lover loverboy lovers loves loveu
loveya loveyou loving lucas lucia lucifer lucky lupita macha macintosh macross madalina maddie maddog
madeline madison madmax madoka madonna maganda maggie magic magnum mahal mahalkita mahalko maiden mailer
mailman maine major majordomo makeitso malcolm maldita malibu mallard mamita management manchester manson
mantra manuel manutd marathon marcel marcos marcus margaret margarita maria mariah marian mariana marie
marielle marilyn marina marine mariner marino mario mariposa marisol marissa market marlboro marley marlon
marshall martha martin martinez marty marvin maryjane master matrix matthew matti mattingly maurice mauricio
maverick maxime maxine maxmax maxwell mayday mazda meatloaf mechanic media medical megan meggie meister
melanie melina melissa mellon melody melvin mememe memory memphis mensuck mercedes mercer mercury merde
merlin merlot mermaid merrill metal metallic metallica mexico mhine miami miamor michael michal micheal
michel michele michelle michigan michou mickel mickey micro microsoft midnight midori midvale midway mierda
miguel mikael mikey milagros milano miles millenium miller millie million mindy minnie minou miracle mirage
miranda miriam mirror misha mishka mission missy misty mitch mitchell mmouse mobile mobydick modem molly
molson mommy monday monet money monica monique monkey monkeys monopoly monroe monster montana montreal
montrose monty moocow mookie moomoo moonbeam moore moose mopar morecats morgan moroni morpheus morris
mortimer mother motor motorola mountain mouse movies mowgli mozart muffin mulder munchkin murphy murray
muscle music musica mustang mybaby mylife mylove myself myspace nadia nadine nancy naomi napoleon naruto
nascar natalia natalie natasha nathan nation national nautica nebraska nellie nelson nemesis nenita nermal
nesbit nesbitt nestle netware network neutrino newaccount newcourt newlife newpass newton newuser newyork
nexus nguyen nicarao nicholas nichole nicklaus nicolas nicole nigel nightshade nightwing nikita nikki nimrod
niners nintendo nirvana nissan nisse nokia nomore nopass noriko normal norman norton notebook nothing notta
notused nouveau novell november noway nugget number numbers nurse nursing nutmeg oatmeal oaxaca obiwan
obsession ocean october ohshit olive oliver olivia olivier ollie olsen omarion omega onelove online openup
opera orange oranges orchid oregon orion orlando orville oscar otter overkill oxford paagal pacers pacific
packard packer packers packrat paint painter paladin paloma pamela pancake panda pandora panget pangit panic
pantera panther panthers paola paradigm paris parker parola parrot partner pasaway pascal passion passwd
password patches patricia patrick patriots patton paula pauline pavel payton peace peach peaches peanut
peanuts pearl pearljam pebbles pedro peewee peggy pencil penelope penguin penny pentium people pepper pepsi
percy perfect performa perry person peter peterk peterpan petey petunia phantom phialpha philip philips
phillips phish phishy phoenix phone photo piano pianoman pianos picard picasso pickle picture pictures
pierce pierre pigeon piglet pimpin pineapple pinkfloyd pinky pioneer pipeline piper pirate pisces pizza
planet plato playboy player players playgirl please pluto poetic poetry pogiako poiuyt pokemon polar polaris
police politics pollito pomme pontiac poohbear pookey pookie poopoo popcorn popeye poppy porsche porter
portland portugal potter power praise prayer preciosa precious predator prelude premier preston pretty
primus prince princesa princesita princess print printing prometheus property provider psalms psycho public
puddin pulsar pumpkin punkin puppies puppy purple pussy pussycat pyramid python qazwsx quality quebec queen
queenie quentin quest qwaszx qwert qwerty qwertyui qwertyuiop rabbit racer racerx rachel rachelle racoon
radar radio rafael rafiki raiders rainbow raistlin raleigh ralph rambo rancid random randy ranger rangers
raptor raquel rascal rasta rastafarian ratio raven ravens raymond reality rebecca rebelde redcloud reddog
redfish redman redrum redskins redsox redwing redwood reggae reggie regina reliant remember remote renee
renegade reptile republic rescue research revolution reynolds reznor rhino rhonda ricardo richard richards
richmond ricky riley ripper ripple river roadrunner robbie robby robert roberto roberts robin robinhood
robocop robotech robotics roche rocket rockie rocknroll rockon rocky rodeo rodrigo roger rogers roland rolex
roman rommel ronald ronaldo ronnie rookie rootbeer rosebud roses rosie rosita rossignol rotimi rouge route
roxana royal rufus rugby rugger runner running russell rusty ruthie ruthless sabbath sabina sabrina sadie
safety saigon sailing sailor saint sakura salasana sales sally salmon salut samantha samiam sammie sammy
sample sampson samsam samson samsung samuel sandi sandra sandy sanjose santa santiago santos saphire
sapphire sarah sasha saskia sassy sasuke satori saturday saturn savage savannah saved sayang scarecrow
scarface scarlet scarlett schnapps school science scooby scoobydoo scooter scorpio scorpion scotch scotland
scott scottie scotty scout scouts scrooge scruffy scuba search seattle sebastian secret security seeker
seoul september serena sergei sergey sergio server service services seven sexybitch sexygirl sexymama sexyme
shadow shaggy shakira shalom shanghai shannon shanny shanti shaolin shark sharon shasta shawn shayne shazam
sheba sheena sheila shelby shelley shelly shelter sherry shirley shithead shoes shogun shopping shorty
shotgun sidekick sidney sierra sigmachi signal signature silver silvia simba simon simone simple simpsons
simsim sinatra singer single sirius sister skate skater skeeter skibum skidoo skiing skipper skippy skittles
skull skunk skydive skyler skyline skywalker slacker slayer sleepy slick slider slideshow slipknot smashing
smegma smile smiles smiley smiths smitty smoke smokey smurfy snake snakes snapper snapple snickers sniper
snoop snoopdog snoopy snowball snowflake snowman snowski snuffy sober soccer softball soleil solomon
something sonic sonics sonny sophia sophie sound space spain spanky sparkle sparks sparky sparrow spartan
spazz special speedo speedy spencer sphynx spider spiderman spike spirit spitfire spock sponge spongebob
spooky spoon sporting sports spring sprite sprocket spunky spurs squash stacey stanley starbuck stargate
starlight stars start starter startrek starwars station stealth steaua steel steele steelers stella steph
stephani stephanie stephen stephi sterling steve steven stevens stewart stimpy sting stingray stinky stivers
stocks stone storage storm stormy stranger strat strato strawberry stretch strong stuart student studio
stumpy stupid success sucker suckme sugar sultan summer summit sunbird sundance sunday sunfire sunflower
sunny sunrise sunset sunshine super superfly superman superstar support supra surfer surfing susan susana
susanna sutton suzanne suzuki sverige swanson sweden sweet sweetheart sweetie sweetness sweetpea sweets
sweety swimmer swimming switzer swoosh swordfish sydney sylvia sylvie symbol system tabatha tacobell taffy
taiwan talon tamara tammy tamtam tango tanner tanya tapani targas target tarheel tarzan tasha tatiana tattoo
taurus taylor tazdevil tazmania tbird teacher teamo techno teddy teddybear teflon teiubesc tekiero telecom
temporal tennis tequiero tequila teresa terminal terry tester testi testing testtest texas thankyou theatre
thebest theboss theend thejudge theking thelorax theresa thisisit thomas thompson thorne thrasher thumper
thunder thunderbird thursday tiffany tiger tigers tigger tightend tigre timber timothy tinker tinkerbell
tintin today tokiohotel tokyo tomcat tommy tootsie topcat topgun topher tornado toronto torres toshiba total
tototo toucan toyota tracy training transfer transit transport trapper trash travel travis treasure trebor
trees trevor tricia tricky trident trinity trish tristan triton trixie trojan trombone trophy trouble trout
truck trucker truelove truman trumpet trustno tucker tucson tuesday turbo turtle tweety twilight twinkle
twins tyler ultimate undead undertaker unicorn unique united unity upsilon ursula utopia vacation vader
valentin valentina valentine valeria valerie valhalla valley vampire vanessa vanilla vedder velvet venice
venus vermont vernon veronica vette vicki vicky victor victoria victory video viking vikram vincent violet
violin viper virago virgil virginia vision visual volcano volley volleyball volvo voodoo vortex voyager
waiting walden waldo walker walleye wally walter wanker warcraft warlock warner warren warrior warriors
water waterloo watson wayne weasel webmaster webster wedge weezer welcome wendy wesley western westlife
westside whale whatever wheels whisky white whitney whocares whoville wibble wilbur wildcat william williams
willie willow willy wilma wilson window windows windsurf winner winnie winniethepooh winona winston winter
wisdom wizard wolfgang wolverine wolves wombat wonder woodrow woody woofwoof wordpass world wrangler wright
xanadu xanth xavier xcountry xfiles yamaha yankee yankees yellow yogibear yolanda yomama young yourmom yukon
yvette yvonne zacefron zachary zapata zaphod zebra zebras zenith zephyr zeppelin zepplin zhongguo ziggy
zigzag zoltan zombie zoomer zorro zxcvb zxcvbn zxcvbnm
`
    .trim()
    .split(/\s/),
)
