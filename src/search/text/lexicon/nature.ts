/** Weather, landscape, animals and plants: one concept a line, with its words in English, German, Spanish, French and Chinese. */
export const nature = `
  cloud cloudy | wolke wolken bewölkt | nube nublado | nuage nuageux | 多云 云朵
  fog mist foggy | nebel neblig | niebla neblina | brouillard brume | 大雾 雾
  hail | hagel | granizo | grêle | 冰雹
  thunder | donner | trueno | tonnerre | 打雷 雷声
  lightning | blitz | relámpago rayo | éclair foudre | 闪电
  flood | überschwemmung hochwasser überflutung | inundación | inondation crue | 洪水 水灾
  drought | dürre trockenheit | sequía | sécheresse | 干旱
  hurricane typhoon cyclone | orkan wirbelsturm taifun | huracán tifón ciclón | ouragan typhon cyclone | 台风 飓风
  breeze | brise | brisa | brise | 微风
  gust | böe böen | ráfaga | rafale | 阵风
  temperature | temperatur | temperatura | température | 温度 气温
  degree | grad | grado | degré | 度数
  heat | hitze wärme | calor | chaleur | 炎热 热量
  thaw melt | tauwetter schmelzen tauen | deshielo derretir fundir | dégel fondre | 融化 解冻
  freeze froze frozen | gefrieren einfrieren gefroren frieren | congelar congelado | geler gelé congelé | 冻结 结冰
  dew | tau | rocío | rosée | 露水
  rainbow | regenbogen | arcoíris | | 彩虹
  shade shadow | schatten | sombra | ombre | 阴影 影子
  sunrise dawn | sonnenaufgang morgendämmerung | amanecer alba | aube aurore | 日出 黎明
  sunset dusk | sonnenuntergang abenddämmerung | atardecer anochecer | crépuscule | 日落 黄昏
  climate | klima | clima | climat | 气候
  season | jahreszeit saison | temporada estación | saison | 季节
  air | luft | aire | air | 空气
  sky heaven | himmel | cielo | ciel | 天空
  moon | mond vollmond | luna | lune | 月亮 月球
  star | stern | estrella | étoile | 星星
  planet | planet planeten | planeta | planète | 行星
  earth | erde | tierra | terre | 地球
  world | welt | mundo | monde | 世界
  universe space cosmos | weltraum weltall universum | universo espacio | univers espace | 宇宙 太空
  telescope | teleskop fernrohr | telescopio | télescope | 望远镜
  binoculars | fernglas | prismáticos binoculares | jumelles | 双筒望远镜
  nature natural | natur natürlich | naturaleza natural | nature naturel naturelle | 自然 大自然
  environment environmental | umwelt umweltschutz | medioambiente ambiental | environnement | 环保
  pollution pollute | verschmutzung verschmutzt | contaminación contaminar | pollution polluer | 污染
  recycling | recycling wiederverwertung wiederverwenden | reciclaje reciclar | recyclage recycler | 回收 循环利用
  landscape scenery | landschaft | paisaje | paysage | 风景 景色
  valley | tal täler | valle | vallée | 山谷
  canyon gorge ravine | schlucht | cañón garganta | gorge ravin | 峡谷
  cliff | klippe steilküste | acantilado | falaise | 悬崖
  rock boulder | felsen fels | roca peña | rocher roche | 岩石
  summit peak | gipfel bergspitze | cumbre cima pico | sommet pic | 山顶 顶峰
  slope hillside | hang abhang böschung | ladera pendiente | pente versant talus | 山坡 斜坡
  glacier | gletscher | glaciar | glacier | 冰川
  volcano | vulkan | volcán | volcan | 火山
  earthquake | erdbeben | terremoto sismo | séisme | 地震
  avalanche | lawine | avalancha alud | avalanche | 雪崩
  cave cavern | höhle | cueva caverna | grotte caverne | 洞穴 山洞
  waterfall | wasserfall | cascada catarata | cascade | 瀑布
  stream brook creek | bach | arroyo | ruisseau | 小溪 溪流
  well | brunnen | pozo | puits | 水井
  fountain | springbrunnen | fuente | fontaine | 喷泉
  pond | teich weiher | estanque charca | étang mare | 池塘
  swamp marsh bog wetland | sumpf moor | pantano ciénaga | marais marécage | 沼泽 湿地
  desert | wüste | desierto | désert | 沙漠
  meadow pasture | wiese weide | prado pradera pasto | pré prairie pâturage | 草地 牧场
  bay gulf | bucht golf | bahía golfo | baie golfe | 海湾
  shore | ufer | orilla ribera | rive rivage | 岸边 河岸
  peninsula | halbinsel | península | péninsule | 半岛
  soil ground | erde erdboden | suelo tierra | sol terre | 土壤 泥土
  mud | schlamm matsch | barro lodo | boue | 泥
  path trail footpath | pfad weg wanderweg | sendero camino | sentier chemin | 小路 小径
  park | park | parque | parc | 公园
  wildlife wild | wild wildnis wildtiere | salvaje silvestre | sauvage faune | 野生
  mammal | säugetier | mamífero | mammifère | 哺乳动物
  puppy | welpe welpen | cachorro | chiot | 小狗 幼犬
  kitten | kätzchen | gatito | chaton | 小猫
  lamb | lamm lämmer | cordero | agneau | 小羊 羔羊
  calf | kalb kälber | ternero becerro | veau | 小牛
  bull ox | stier bulle ochse | toro buey | taureau bœuf | 公牛
  donkey mule | esel | burro asno mula | âne mulet | 驴
  pony foal | pony fohlen | poni potro | poney poulain | 小马
  hen rooster cock | henne hahn | gallina gallo | poule coq | 母鸡 公鸡
  chick | küken | polluelo | poussin | 小鸡
  duck | ente | pato | canard | 鸭子
  goose geese | gans gänse | ganso oca | oie | 鹅
  turkey | truthahn pute | pavo | dinde | 火鸡
  swan | schwan | cisne | cygne | 天鹅
  pigeon dove | taube | paloma | pigeon colombe | 鸽子
  sparrow | spatz sperling | gorrión | moineau | 麻雀
  swallow | schwalbe | golondrina | hirondelle | 燕子
  stork | storch | cigüeña | cigogne | 鹳
  owl | eule | búho lechuza | hibou chouette | 猫头鹰
  eagle | adler | águila | aigle | 老鹰
  hawk falcon | falke habicht bussard | halcón gavilán | faucon | 猎鹰
  crow raven | krähe rabe | cuervo | corbeau corneille | 乌鸦
  parrot | papagei | loro papagayo | perroquet | 鹦鹉
  seagull gull | möwe | gaviota | mouette goéland | 海鸥
  penguin | pinguin | pingüino | pingouin manchot | 企鹅
  fox | fuchs füchse | zorro | renard | 狐狸
  wolf wolves | wolf | lobo | loup | 狼
  bear | bär bären | oso | | 熊
  deer stag | hirsch reh | ciervo venado | cerf chevreuil | 鹿
  boar | wildschwein | jabalí | sanglier | 野猪
  hedgehog | igel | erizo | hérisson | 刺猬
  squirrel | eichhörnchen | ardilla | écureuil | 松鼠
  badger | dachs | tejón | blaireau | 獾
  marten weasel | marder wiesel | comadreja | martre fouine belette | 貂
  mole | maulwurf | topo | taupe | 鼹鼠
  rat | ratte | rata | rat | 大鼠
  hamster | hamster | hámster | hamster | 仓鼠
  bat | fledermaus | murciélago | | 蝙蝠
  frog toad | frosch kröte | rana sapo | grenouille crapaud | 青蛙
  snake | schlange | serpiente culebra | serpent | 蛇
  lizard | eidechse | lagarto lagartija | lézard | 蜥蜴
  turtle tortoise | schildkröte | tortuga | tortue | 乌龟
  crocodile alligator | krokodil | cocodrilo | crocodile | 鳄鱼
  elephant | elefant elefanten | elefante | éléphant | 大象
  lion | löwe | león | lion | 狮子
  tiger | tiger | tigre | tigre | 老虎
  monkey ape | affe | mono simio | singe | 猴子
  camel | kamel | camello | chameau | 骆驼
  whale | wal | ballena | baleine | 鲸鱼
  dolphin | delfin delphin | delfín | dauphin | 海豚
  seal | seehund robbe | foca | phoque | 海豹
  shark | hai | tiburón | requin | 鲨鱼
  salmon | lachs | salmón | saumon | 三文鱼 鲑鱼
  trout | forelle | trucha | truite | 鳟鱼
  tuna | thunfisch | atún | thon | 金枪鱼
  cod | kabeljau dorsch | bacalao | morue cabillaud | 鳕鱼
  herring | hering | arenque | hareng | 鲱鱼
  eel | aal | anguila | anguille | 鳗鱼
  shrimp prawn | garnele krabbe | gamba camarón | crevette | 虾
  crab lobster | krebs hummer | cangrejo langosta | crabe homard | 螃蟹 龙虾
  mussel oyster clam shell | muschel auster | mejillón ostra almeja | moule huître | 贝壳 牡蛎
  snail slug | schnecke | caracol babosa | escargot limace | 蜗牛
  worm | wurm würmer | gusano lombriz | ver | 虫子 蚯蚓
  spider | spinne | araña | araignée | 蜘蛛
  ant | ameise ameisen | hormiga | fourmi | 蚂蚁
  fly | fliege fliegen | mosca | mouche | 苍蝇
  mosquito midge | mücke | mosquito | moustique | 蚊子
  wasp hornet | wespe hornisse | avispa avispón | guêpe frelon | 黄蜂
  butterfly | schmetterling | mariposa | papillon | 蝴蝶
  moth | motte | polilla | mite | 飞蛾
  beetle | käfer | escarabajo | scarabée coléoptère | 甲虫
  tick flea louse lice | zecke floh laus | garrapata pulga piojo | tique puce pou poux | 蜱虫 跳蚤
  mite | milbe | ácaro | acarien | 螨虫
  larva caterpillar | larve raupe | larva oruga | larve chenille | 幼虫 毛虫
  hive beehive apiary | bienenstock bienenkorb imkerei | colmena colmenar | ruche rucher | 蜂箱 蜂巢
  beekeeper | imker imkerin | apicultor apicultora | apiculteur | 养蜂人
  swarm | schwarm | enjambre | essaim | 蜂群
  queen | königin | reina | reine | 女王 蜂王
  nest | nest nester | nido | nid | 鸟巢
  cage | käfig | jaula | | 笼子
  stable barn | stall pferdestall | establo cuadra | étable écurie | 马厩 马棚
  aquarium | aquarium | acuario | aquarium | 鱼缸 水族馆
  zoo | zoo tierpark | zoológico zoo | zoo | 动物园
  tail | schwanz | cola rabo | queue | 尾巴
  feather | feder federn | pluma | plume | 羽毛
  fur | fell pelz | pelaje piel | fourrure pelage | 皮毛
  wool | wolle | lana | laine | 羊毛
  claw paw | kralle pfote | garra pata | griffe patte | 爪子
  horn antler | horn geweih | cuerno | corne | 牛角
  leash | leine halsband | correa collar | laisse collier | 牵绳 项圈
  feed fodder | futter füttern gefüttert | pienso alimentar forraje | fourrage nourrir | 饲料 喂食
  breed breeding breeder | zucht züchten züchter rasse | raza criar cría criador | élevage éleveur | 品种 饲养
  hunt hunter | jagd jagen jäger | caza cazar cazador | chasse chasser chasseur | 打猎 猎人
  fishing angling fisherman | angeln fischen fischer angler | pesca pescar pescador | pêche pêcher pêcheur | 钓鱼 渔民
  rose | rose rosen | rosa | rose | 玫瑰
  tulip | tulpe | tulipán | tulipe | 郁金香
  lily | lilie | lirio | lys | 百合
  sunflower | sonnenblume | girasol | tournesol | 向日葵
  orchid | orchidee | orquídea | orchidée | 兰花
  daisy | gänseblümchen | margarita | marguerite pâquerette | 雏菊
  lavender | lavendel | lavanda | lavande | 薰衣草
  blossom bloom | blüte blühen | flor florecer | fleurir floraison | 开花
  bud | knospe | brote yema | bourgeon | 花蕾 芽
  bush shrub | busch strauch | arbusto mata | buisson arbuste | 灌木
  twig | ast zweig | rama | branche rameau | 树枝
  trunk | baumstamm stamm | tronco | tronc | 树干
  bark | rinde baumrinde | corteza | écorce | 树皮
  root | wurzel wurzeln | raíz raíces | racine |
  stem stalk | stängel stiel | tallo | tige |
  thorn | dorn dornen | espina | épine |
  weed | unkraut | maleza | | 杂草
  moss | moos | musgo | mousse | 苔藓
  fern | farn | helecho | fougère | 蕨
  mushroom fungus | pilz | seta hongo champiñón | champignon | 蘑菇
  ivy | efeu | hiedra | lierre | 常春藤
  birch | birke | abedul | bouleau | 白桦
  maple | ahorn | arce | érable | 枫树
  linden | linde lindenbaum | tilo | tilleul | 椴树
  willow | trauerweide | sauce | saule | 柳树
  palm | palme palmen | palmera | palmier | 棕榈
  bamboo | bambus | bambú | bambou | 竹子
  straw hay | stroh heu | paja heno | paille foin | 稻草 干草
  wheat | weizen | trigo | blé froment | 小麦
  barley | gerste | cebada | orge | 大麦
  rye | roggen | centeno | seigle | 黑麦
  oats | hafer haferflocken | avena | avoine | 燕麦
  corn maize | mais | maíz | maïs | 玉米
  hop | hopfen | lúpulo | houblon | 啤酒花
  vine vineyard | weinberg weinrebe rebe | viña viñedo vid | vigne vignoble | 葡萄园
  orchard | obstgarten | huerto | verger | 果园
  greenhouse | gewächshaus treibhaus | invernadero | | 温室
  compost | kompost | compost | compost | 堆肥
  manure fertilizer fertiliser | dünger mist düngen | abono estiércol fertilizante | engrais fumier | 肥料
  pesticide | pestizid pflanzenschutzmittel | pesticida | pesticide | 农药
  plough plow | pflug pflügen | arado arar | charrue labourer | 犁地
  sow | säen aussaat gesät | sembrar siembra | semer semis | 播种
  irrigation irrigate watering | bewässerung gießen bewässern | riego regar | arrosage arroser irrigation | 灌溉 浇水
  prune trim | beschneiden baumschnitt stutzen | podar poda | tailler élaguer | 修剪
  mow mower lawnmower | rasenmäher mähen gemäht | cortacésped segar | tondeuse tondre | 割草 割草机
  farm farmhouse | bauernhof hof | granja finca | ferme | 农场
  agriculture farming | landwirtschaft | agricultura | agriculture | 农业`
