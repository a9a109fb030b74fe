/**
 * The words most passwords consist of, from frequency lists of leaked passwords. Each is rejected as a password, alone
 * or with digits, years, symbols and the usual substitutions. See common-passwords.ts.
 */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  `
password passwort passwords passwd passw pass passe passcode passkey parola parool motdepasse contrasena senha salasana haslo lozinka wachtwoord kennwort mypassword thepassword nopassword newpassword
admin administrator admins adm root toor system sysadmin superuser superadmin user username users guest default login logon access letmein letmeinn openup opensesame changeme changeit changethis temp temporary temppass
secret secrets topsecret private security secure test tester testing testuser testpass testtest demo sample example student teacher manager office company business enterprise welcome willkommen bienvenue bienvenido
welcomeback hello hellohello hallo bonjour hola hellothere helloworld iloveyou iloveu iluvyou iloveme ilovegod ilovejesus iloveyousomuch iloveyoubaby iloveyouforever loveyou loveme lovely lover lovers love loving
lovelove loveforever truelove mylove mybaby mylife mine forever together always angel angels angelo angela angelica baby babygirl babyboy babydoll babyface sweet sweetie sweety sweetheart sweetpea honey honeybun sugar
sunshine sunflower sunrise sunset sunny moonlight moonshine starlight stardust star stars starfish rainbow snowflake snowball snowman snowboard winter summer spring autumn january february march april may june july
august september october november december monday tuesday wednesday thursday friday saturday sunday weekend holiday christmas birthday halloween easter flower flowers butterfly butterflies strawberry blueberry raspberry blackberry
cherry apple apples banana bananas orange lemon peach peaches mango coconut pineapple watermelon chocolate cookie cookies candy cupcake pancake cheese cheesecake pepper ginger cinnamon vanilla coffee pepsi cocacola
monkey monkeys dragon dragons tiger tigers lion lions panther panthers eagle eagles falcon falcons hawk wolf wolves werewolf bear bears teddybear panda puppy puppies kitty kitten kittens hellokitty cat cats catdog dog dogs
doggy doggie bulldog bulldogs pitbull rottweiler horse horses pony unicorn dolphin dolphins shark sharks turtle rabbit bunny squirrel chicken turkey duck penguin elephant giraffe spider scorpion snake cobra viper python
phoenix pegasus griffin wizard warlock witch vampire vampires zombie ghost demon devil diablo lucifer satan heaven jesus jesuschrist jesusislord jesussaves christ christian godislove godisgood god bible faith blessed trinity
master masters mastermind masterkey shadow shadows killer killers assassin hunter hunting warrior warriors soldier ranger sniper ninja samurai pirate viking spartan gladiator commander captain general sergeant marine
marines navy airforce army military police fireman firefighter superman batman spiderman ironman wolverine captainamerica xmen joker robin catwoman superstar superhero hero heroes starwars startrek stargate jedi skywalker
darthvader anakin yoda matrix trinity neo gandalf frodo legolas aragorn hobbit middleearth harrypotter hogwarts dumbledore potter pokemon pikachu charizard digimon naruto sasuke sakura goku dragonball dragonballz bleach
onepiece sailormoon evangelion finalfantasy kingdomhearts sephiroth zelda mario nintendo playstation xbox gameboy gamecube gamer games gaming game gameover minecraft fortnite roblox counterstrike warcraft worldofwarcraft starcraft
halflife halo doom quake tetris sega sonic pacman metroid mortalkombat streetfighter callofduty battlefield runescape everquest football footballs soccer baseball basketball volleyball softball hockey icehockey tennis
golf golfer golfing cricket rugby swimming swimmer running runner cycling skiing surfing surfer skater skateboard skateboarding snowboarding wrestling wrestler boxing karate taekwondo gymnastics cheerleader cheerleading cheer
dance dancer dancing ballet music musica musician guitar guitarist bass bassist drums drummer piano violin trumpet saxophone trombone metal heavymetal metallica slipknot nirvana megadeth slayer pantera ironmaiden
blacksabbath ledzeppelin pinkfloyd beatles thebeatles rollingstones aerosmith acdc greenday blink linkinpark linkin limpbizkit korn tool radiohead coldplay eminem tupac biggie snoopdogg fiftycent madonna
britney shakira rihanna beyonce eltonjohn elvis presley bobmarley marley jimihendrix hendrix johnlennon lennon jordan michaeljordan kobe bryant lebron shaq iverson beckham ronaldo ronaldinho messi zidane maradona
liverpool liverpoolfc manchester manchesterunited manutd manunited mancity chelsea chelseafc arsenal arsenalfc everton tottenham rangers celtic barcelona fcbarcelona realmadrid juventus milan acmilan inter benfica ajax
galatasaray fenerbahce besiktas bayern bayernmunchen schalke dortmund yankees redsox redskins cowboys steelers packers patriots giants raiders broncos dolphins vikings lakers bulls celtics knicks spurs pistons
canadiens mapleleafs redwings blackhawks penguins flyers bruins buckeyes longhorns gators seminoles wolverines trojans tarheels hurricanes hurricane tornado thunder lightning storm thunderbird thunderbolt firebird
michael michelle michele micheal michaela jennifer jenny jessica jessie jesse ashley amanda andrea andrew andrei andres anthony antonio antonia tony thomas tommy matthew matt mathew daniel daniela danielle danny david
davide davidson robert roberto roberta bobby joseph josephine joe joey joshua josh justin justine nicole nicolas nicholas nicola nick jonathan jonathon john johnny johnson johndoe jacob jake james jamie jason jasmine
jasper jackson jack jackie samantha samuel sammy sam sarah sara sandra sandy stephanie stephen steven steve stefan christopher christine christina christian chris charlie charles charlotte chelsea chester chicago
elizabeth eliza alexander alexandra alexandre alexandru alexis alex alejandro alejandra alberto albert alfred alice alicia alison allison amber amy anna annie anne annette antoine arthur austin barbara beatrice benjamin
benny bernard bethany betty beverly bianca bradley brandon brandy brenda brendan brian brittany brooke brooklyn bruno bryan caleb cameron camille carlos carmen carol carolina caroline carolyn casey cassandra cassie catherine
cecilia celine chantal claire claudia claudio cody colin connor courtney crystal curtis cynthia dakota dallas damian darren dennis derek desiree destiny diana diane diego dominic dominique donald donna douglas dustin dylan
edward eduardo edgar eileen elaine eleanor elena emily emma enrique eric erica erika ernesto esther ethan eugene evelyn felipe felix fernando fernanda florence frances francesca francesco francis francisco frank frankie
franklin frederic gabriel gabriela gabrielle garrett gary geoffrey george georgia gerald gerard giovanni giuseppe gloria gordon grace gregory guillaume gustavo hannah harold harrison harry heather hector heidi helen
helena henry howard isabel isabella isabelle ivan jacqueline janice javier jeffrey jeremiah jeremy jerome joanna jonas jorge juan juanita judith julia julian juliana julie juliette karen karina karl katherine kathleen
kathryn katie katrina kayla keith kelly kenneth kevin kimberly kristen kristin kristina kyle larry laura lauren laurent lawrence leonard leonardo leslie linda lindsay lindsey lisa logan lorenzo louis louise lucas lucia
luis madison manuel marcel marcelo marco marcos marcus margaret margarita maria mariah mariana marie marina mario marion marjorie mark marlene marshall martha martin martina martinez marvin mary mason maurice maverick
maxime maximus maxwell megan melanie melissa mercedes meredith miguel miranda mitchell mohamed mohammed molly monica monique morgan nancy natalia natalie natasha nathalie nathan nathaniel nelson nicholas norman oliver
olivia oscar pamela patricia patrick patrik paul paula pauline pedro peter philip philippe phillip phoebe preston priscilla rachel rafael ralph ramon randy raymond rebecca regina renee ricardo richard ricky rodney rodrigo
roger roland roman romain ronald ronnie rosemary ruben russell ryan sabrina salvador salvatore savannah scott sebastian sergio shane shannon sharon sheila shelby sheldon shirley sierra simon simone sophia sophie spencer
stacey stanley stella stewart stuart summer susan suzanne sydney sylvia tabitha tamara tanya tatiana taylor teresa terry thiago theodore theresa tiffany timothy tracy trevor tristan tyler valentin valentina valentine
valerie vanessa veronica vicky victor victoria vincent viktor virginia vivian vladimir wallace walter warren wendy wesley william williams willie winston xavier yolanda yvonne zachary zoe nastya natali svetlana tatyana
california colorado florida georgia alabama arizona arkansas hawaii illinois indiana iowa kansas kentucky louisiana maryland michigan minnesota mississippi missouri montana nebraska nevada newjersey newmexico newyork
newyorkcity northcarolina ohio oklahoma oregon pennsylvania southcarolina tennessee texas utah vermont virginia washington wisconsin wyoming alaska america american usa canada mexico brasil brazil argentina colombia
england english britain scotland ireland irish wales france french germany deutschland german italy italia italian spain espana spanish portugal poland polska russia russian ukraine turkey turkiye istanbul greece
hellas india indian indonesia pakistan china chinese japan japanese korea australia newzealand southafrica africa europe asia london paris berlin hamburg munchen frankfurt madrid roma napoli moscow moskva sydney
melbourne toronto vancouver montreal boston dallas denver detroit houston miami lasvegas vegas losangeles hollywood sanfrancisco sandiego sanjose seattle philadelphia pittsburgh phoenix atlanta cleveland cincinnati
porsche ferrari lamborghini mercedes mercedesbenz bmw audi volkswagen volvo toyota corolla honda civic nissan skyline subaru mitsubishi mazda suzuki yamaha kawasaki ducati harley harleydavidson motorcycle motorola
mustang camaro corvette chevrolet chevy cadillac dodge charger challenger ford jeep wrangler pontiac firebird transam camaross jaguar maserati bentley rollsroyce samsung nokia iphone android apple macintosh microsoft
windows windowsxp windows7 linux ubuntu google yahoo hotmail gmail facebook twitter instagram youtube myspace linkedin internet computer computers laptop keyboard website webmaster server network wireless database oracle
mysql postgres postgresql cisco router switch firewall technology electronics electric electronic engineer engineering science scientist chemistry physics mathematics biology medicine doctor nurse university college
school highschool education library professor freedom liberty peace peacelove happiness happy happyday smile smiley funny crazy awesome amazing beautiful beauty gorgeous pretty princess princesa prince queen
king kings kingdom kingkong queenbee lady ladybug ladies girl girls girlpower boys friend friends friendship bestfriend bestfriends family mother mothers mommy mama father fathers daddy papa brother sister sisters
grandma grandpa children children daughter husband wife marriage married wedding boyfriend girlfriend single sexy sexygirl sexyboy sex sexsex sexual fuck fucker fucking fuckyou fuckoff fuckme fuckyou shit bullshit
asshole bitch bitches whatever nothing something everything anything nobody somebody blahblah blah dontknow idontknow forgot forget remember nevermind trustno trustnoone trustme fucked pussy pussycat dick hardcore porn
pornstar penis boobs tits titties bigtits bigdick bigcock cock lesbian lesbians playboy playboys playgirl bigboy bigdaddy bigdog bighead biggirl bigbang blowjob hooters sexybitch naughty kinky orgasm hustler gangster gangsta
thuglife thug player playa playas hustle money moneymaker moneyman cash dollar dollars million millionaire rich gold golden goldfish diamond diamonds silver platinum crystal pearl emerald sapphire ruby jewel treasure
lucky lucky7 luckyme luckyone luckystar lotto casino poker blackjack jackpot aces ace black blackcat blackdog blackout blackhole blacklabel blackmagic white whitey whiteboy red redhead redneck blue bluebird blueeyes bluesky
green greenday greentea yellow purple purplerain pink pinky pinkpink violet indigo scarlet crimson rose roses rosebud lily daisy jasmine orchid tulip violet magnolia nature ocean oceans beach island mountain mountains
river riverside lake forest woods desert waterfall water fire fireball firefly ice icecream iceman icecube earth wind windy space spaceman galaxy universe planet saturn jupiter mars venus mercury pluto neptune apollo
apollo13 zeus athena hercules achilles odyssey atlantis olympus titan titanic titanium phantom mystery magic magical magician fantasy dream dreams dreamer dreaming nightmare midnight twilight darkness darkangel dark darkside
darkstar knight knights blackknight nightwing nighthawk night goodnight goodmorning goodluck goodbye goodgirl goodboy good better best number numberone number1 first second third one two three onetwo onetwothree
onelove someone alexander1 qwertz azerty qwert asdf asdfasdf zxcv zxcvb qwer qwerqwer qweqwe asdasd zxczxc qweasd qweasdzxc asdzxc wasd poiuy lkjh mnbv abcd abcabc abcde abcdef abcdefg aaa xxx zzz xxxx qqq www
tinkerbell tweety tweetybird mickey mickeymouse minnie minniemouse donaldduck winnie winniethepooh snoopy garfield scooby scoobydoo spongebob patrick simpsons bart homer homersimpson southpark cartman kenny barney
bambi simba nemo findingnemo shrek donkey scarface tonymontana godfather terminator predator alien aliens jurassic jurassicpark highlander braveheart gladiator rocky rambo jamesbond bond007 goldeneye casper
cricket marlboro camel newport cannabis marijuana weed smokeweed smoke smokey smoking stoner budweiser guinness heineken corona tequila whiskey vodka beer beerbeer drunk cowboy cowgirl rodeo country farmer fisher fishing
fisherman bassfishing hunting camping hiking climber sailing sailor boating pilot flying airplane aircraft airbus boeing helicopter rocket spaceship satellite submarine titanic train trains trucker truck trucks tractor
challenge champion champions championship victory winner winners winning success successful power powerful energy force strong stronger strength steel iron hammer sledgehammer thor odin loki ragnarok excalibur merlin
arthur lancelot camelot medieval castle dungeon dungeons labyrinth creation creative creator destiny infinity eternity immortal immortality revolution evolution resident residentevil survivor predator hacker hackers
hacked hack h4x0r leet anarchy anonymous chaos rebel rebels outlaw renegade maverick goose iceman topgun buster buddy buddha bubba bubbles bubblegum bubble marshmallow lollipop gumball jellybean peanut peanuts peanutbutter
pumpkin potato tomato spaghetti pizza hamburger cheeseburger bacon chicken barbecue sausage pickle pickles muffin biscuit donut doughnut brownie caramel nutella oreo skittles snickers butterfinger mountaindew drpepper
montgomery cocksucker screwyou motherfucker postov1000 abcd1234 nopassword cooldude honeybee moneyman rocknroll firefighter bluejays godzilla gonzales gonzalez rodriguez hernandez
fernandez sanchez schmidt mueller isaiah michigan stonecold undertaker waterloo chadwick carpediem darkness1 bonjovi poohbear buttercup snuggles precious gracie maggie ginger1 sparky tigger rusty lakota rainbow6
`
    .trim()
    .split(/\s+/),
);
