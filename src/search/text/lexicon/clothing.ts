/** Clothes, textiles and things of the home: one concept a line, with its words in English, German, Spanish, French and Chinese. */
export const clothing = `
  fabric cloth textile | stoff textil gewebe | tela tejido textil | tissu textile étoffe | 布料 面料
  cotton | baumwolle | algodón | coton | 棉花 棉布
  linen flax | leinen flachs | lino | lin | 亚麻
  silk | seide | seda | soie | 丝绸
  velvet | samt | terciopelo | velours | 天鹅绒
  felt | filz | fieltro | feutre | 毛毡
  lace | spitze | encaje | dentelle | 蕾丝
  denim jeans | jeans | vaqueros tejanos | jean | 牛仔裤
  sweater pullover jumper jersey | pullover pulli strickpulli | jersey suéter | pull chandail | 毛衣
  cardigan | strickjacke | rebeca cárdigan | gilet | 开衫
  blouse | bluse | blusa | chemisier | 女衬衫
  skirt | rock | falda | jupe | 裙子 半身裙
  suit | anzug | traje | costume | 西装
  tie necktie | krawatte | corbata | cravate | 领带
  belt | gürtel | cinturón | ceinture | 腰带 皮带
  sock stocking tights | socke socken strumpf strumpfhose | calcetín media | chaussette collant | 袜子
  underwear | unterwäsche unterhose | calzoncillos bragas | culotte | 内衣 内裤
  pyjamas pajamas nightgown | schlafanzug pyjama nachthemd | pijama camisón | pyjama | 睡衣
  swimsuit bikini | badeanzug badehose bikini | bañador bikini | maillot | 泳衣
  raincoat | regenmantel regenjacke | impermeable chubasquero | imperméable | 雨衣
  shorts | shorts | | | 短裤
  uniform | uniform | uniforme | uniforme | 制服 校服
  costume | kostüm verkleidung | disfraz | déguisement costume | 服装 戏服
  boots | stiefel | bota | bottes | 靴子
  sandal slipper | sandale hausschuhe pantoffel | sandalia zapatilla | sandale pantoufle chausson | 凉鞋 拖鞋
  sneaker | turnschuhe sportschuhe | zapatillas deportivas | baskets | 运动鞋
  heel | absatz ferse | tacón talón | talon | 鞋跟
  sole | sohle schuhsohle | suela | semelle | 鞋底
  shoelace laces | schnürsenkel | cordón | lacet | 鞋带
  zip zipper | reißverschluss | cremallera | | 拉链
  button | knopf | botón | bouton | 纽扣 扣子
  pocket | hosentasche | bolsillo | poche | 口袋
  sleeve | ärmel | manga | manche | 袖子
  collar | kragen | cuello | col | 衣领
  hem seam | saum naht | dobladillo costura | ourlet couture | 缝边 接缝
  lining | innenfutter | forro | doublure | 衬里
  pattern | muster schnittmuster | patrón estampado | motif patron | 图案 花纹
  stripe | streifen gestreift | raya | rayure rayé | 条纹
  fashion | mode | moda | | 时尚
  tailor dressmaker | schneider schneiderin | sastre modista | tailleur couturière | 裁缝
  necklace | halskette | collar | collier | 项链
  bracelet | armband | pulsera | bracelet | 手镯 手链
  pearl | perle perlen | perla | perle | 珍珠
  diamond gem jewel | diamant edelstein juwel | diamante gema joya | diamant gemme joyau | 钻石 宝石
  handbag | handtasche | bolso cartera | sac | 手提包
  mask | maske | máscara mascarilla | masque | 口罩 面具
  wear worn wore | tragen getragen | llevar vestir puesto | porter | 穿戴
  iron | bügeln bügeleisen gebügelt | planchar plancha | repasser repassage | 熨烫 熨斗
  dry dryer | trocknen trockner getrocknet trocken | secar secadora seco | sécher sèche séchoir | 烘干 干燥
  stain | fleck flecken | mancha | tache | 污渍 污点
  detergent | waschmittel spülmittel | detergente | détergent | 洗衣粉 洗涤剂
  soap | seife | jabón | savon | 肥皂
  shampoo | shampoo | champú | shampooing | 洗发水
  sponge | schwamm | esponja | éponge | 海绵
  rag | lappen putztuch | trapo paño | chiffon torchon | 抹布
  broom | besen | escoba | balai | 扫帚
  sweep | fegen kehren | barrer | balayer | 扫地
  mop | wischmopp wischen | fregona trapeador | serpillière | 拖把
  duster dustpan | kehrblech | recogedor | | 簸箕
  mattress | matratze | colchón | matelas | 床垫
  pillow cushion | kissen kopfkissen | almohada cojín | oreiller coussin | 枕头 靠垫
  sheet bedding | bettlaken laken bettwäsche | sábana | drap | 床单
  duvet quilt | bettdecke | edredón | couette édredon | 被子
  cot cradle crib | wiege kinderbett | cuna | berceau | 婴儿床 摇篮
  pram stroller buggy | kinderwagen buggy | cochecito carrito | poussette | 婴儿车
  nappy diaper | windel windeln | pañal | couche | 尿布 尿不湿
  pacifier dummy | schnuller | chupete | tétine | 奶嘴
  stool | hocker schemel | taburete | tabouret | 凳子
  bench | sitzbank parkbank | banco | banc | 长椅
  armchair | sessel | sillón butaca | fauteuil | 扶手椅
  vase | vase | jarrón florero | vase | 花瓶
  flowerpot | blumentopf | maceta | | 花盆
  decoration decorate ornament | dekoration schmücken verzierung dekorieren | decoración decorar adorno | décoration décorer ornement | 装饰
  poster | plakat poster | cartel póster | affiche | 海报
  bin dustbin | mülleimer papierkorb mülltonne | cubo papelera | poubelle corbeille | 垃圾桶
  mailbox letterbox | briefkasten | buzón | | 信箱
  household | haushalt | hogar | ménage foyer | 家务
  tidy | aufräumen ordentlich aufgeräumt | ordenar ordenado | ranger rangement rangé | 整理 收拾
  dirty dirt | schmutzig schmutz dreckig dreck | sucio suciedad | sale saleté | 肮脏
  mess messy untidy | unordnung chaos unordentlich | desorden desordenado | désordre bazar | 混乱 凌乱`
