/** Food, cooking and the kitchen: one concept a line, with its words in English, German, Spanish, French and Chinese. */
export const food = `
  flour | mehl | harina | farine | 面粉
  dough | teig | masa | pâte | 面团
  yeast | hefe | levadura | levure | 酵母
  sourdough | sauerteig | | levain | 酸面团
  roll bun | brötchen semmel | panecillo bollo | | 小面包
  toast | toast | tostada | | 吐司
  sandwich | sandwich belegtes | bocadillo sándwich | sandwich | 三明治
  biscuit cookie cookies | keks kekse plätzchen | galleta | biscuit gâteau | 饼干
  pastry tart pie | gebäck törtchen | pastel tarta hojaldre | pâtisserie tarte | 糕点 馅饼
  waffle pancake crepe | waffel pfannkuchen | gofre crepe panqueque | gaufre crêpe | 煎饼 华夫饼
  dumpling | knödel kloß klöße teigtasche | | ravioli | 饺子
  pizza | pizza | pizza | pizza | 披萨 比萨
  hamburger burger | hamburger frikadelle | hamburguesa | hamburger | 汉堡
  sausage | wurst würstchen | salchicha embutido chorizo | saucisse saucisson | 香肠
  ham bacon | schinken speck | jamón tocino beicon | jambon lardon | 火腿 培根
  beef | rindfleisch | ternera res | bœuf | 牛肉
  pork | schweinefleisch | cerdo | porc | 猪肉
  steak | steak | filete bistec | steak bifteck | 牛排
  stew goulash | eintopf gulasch | guiso estofado | ragoût | 炖菜
  roast | braten gebraten | asado asar | rôti rôtir | 烤肉
  barbecue grill | grillen grill gegrillt | barbacoa parrilla | barbecue | 烧烤
  salad | salat | ensalada | salade | 沙拉
  lettuce | kopfsalat | lechuga | laitue | 生菜
  cabbage | kohl weißkohl | repollo | chou | 卷心菜 白菜
  cauliflower broccoli | blumenkohl brokkoli | coliflor brócoli | brocoli | 花菜 西兰花
  carrot | karotte möhre | zanahoria | carotte | 胡萝卜
  cucumber gherkin | gurke | pepino pepinillo | concombre cornichon | 黄瓜
  spinach | spinat | espinaca | épinard | 菠菜
  pea | erbse erbsen | guisante | | 豌豆
  bean | bohne bohnen | judía alubia frijol | haricot | 豆子 四季豆
  lentil | linse linsen | lenteja | lentille | 扁豆
  soy soya tofu | soja tofu | soja tofu | soja tofu | 大豆 豆腐
  pumpkin squash | kürbis | calabaza | citrouille courge potiron | 南瓜
  courgette zucchini | zucchini | calabacín | courgette | 西葫芦
  aubergine eggplant | aubergine | berenjena | aubergine | 茄子
  pepper capsicum paprika | paprika | pimiento | poivron | 青椒 甜椒
  chilli chili | chili | chile guindilla | piment | 辣椒
  celery | sellerie | apio | céleri | 芹菜
  asparagus | spargel | espárrago | asperge | 芦笋
  leek | lauch porree | puerro | poireau | 韭葱
  radish | radieschen rettich | rábano | radis | 萝卜
  beetroot beet | rübe | remolacha | betterave | 甜菜
  olive | olive oliven | aceituna oliva | olive | 橄榄
  herb | kraut kräuter | hierbas | herbes | 草本
  parsley | petersilie | perejil | persil | 欧芹
  basil | basilikum | albahaca | basilic | 罗勒
  mint | minze pfefferminze | menta hierbabuena | menthe | 薄荷
  ginger | ingwer | jengibre | gingembre | 生姜
  cinnamon | zimt | canela | cannelle | 肉桂
  vanilla | vanille | vainilla | vanille | 香草
  saffron | safran | azafrán | safran | 藏红花
  mustard | senf | mostaza | moutarde | 芥末
  vinegar | essig | vinagre | vinaigre | 醋
  sauce gravy | soße sauce | salsa | sauce | 酱汁
  ketchup mayonnaise | ketchup mayonnaise | kétchup mayonesa | ketchup mayonnaise | 番茄酱
  cream | sahne rahm | nata crema | crème | 奶油
  yoghurt yogurt | joghurt | yogur | yaourt | 酸奶
  margarine | margarine | margarina | margarine | 人造黄油
  pear | birne | pera | poire | 梨
  banana | banane | plátano banana | banane | 香蕉
  grape | traube trauben weintrauben | uva | raisin | 葡萄
  raisin | rosine | pasa | | 葡萄干
  cherry | kirsche kirschen | cereza | cerise | 樱桃
  plum | pflaume zwetschge | ciruela | prune | 李子
  peach | pfirsich | melocotón durazno | pêche | 桃子
  apricot | aprikose | albaricoque | abricot | 杏子
  lemon | zitrone | limón | | 柠檬
  grapefruit | grapefruit pampelmuse | pomelo | pamplemousse | 柚子
  mandarin tangerine | mandarine | mandarina | mandarine clémentine | 橘子
  pineapple | ananas | piña | ananas | 菠萝
  mango | mango | mango | mangue | 芒果
  avocado | avocado | aguacate | avocat | 牛油果
  melon watermelon | melone wassermelone | melón sandía | melon pastèque | 西瓜
  raspberry | himbeere | frambuesa | framboise | 树莓
  blackberry | brombeere | mora | mûre | 黑莓
  blueberry | heidelbeere blaubeere | arándano | myrtille | 蓝莓
  currant | johannisbeere | grosella | groseille cassis | 醋栗
  fig | feige | higo | figue | 无花果
  date | dattel datteln | dátil | datte | 椰枣
  coconut | kokosnuss | coco | | 椰子
  almond | mandel mandeln | almendra | amande | 杏仁
  hazelnut | haselnuss | avellana | noisette | 榛子
  walnut | walnuss | nuez | noix | 核桃
  peanut | erdnuss | cacahuete maní | cacahuète arachide | 花生
  chestnut | kastanie | castaña | châtaigne | 栗子
  jam marmalade | marmelade konfitüre | mermelada | confiture | 果酱
  syrup | sirup | jarabe sirope | sirop | 糖浆
  sweets candy | süßigkeiten bonbon süß | dulce caramelo | bonbon sucrerie sucré | 糖果
  icecream | eiscreme speiseeis | helado | | 冰淇淋
  dessert pudding | nachtisch dessert nachspeise | postre | dessert | 甜点
  sour | sauer | ácido agrio | acide aigre |
  bitter | bitter | amargo | amer |
  salty savoury | salzig | salado | salé |
  spicy | scharf würzig | picante | épicé piquant |
  taste flavour flavor | geschmack schmecken schmeckt | sabor gusto saborear | goût saveur goûter | 味道 口味
  delicious tasty | lecker köstlich | delicioso sabroso rico | délicieux savoureux | 好吃 美味
  smell odour scent | geruch riechen riecht duft | olor oler | odeur sentir parfum | 气味 味道
  hungry hunger | hunger hungrig | hambre hambriento | faim affamé | 饥饿
  thirsty thirst | durst durstig | sed sediento | soif assoiffé | 口渴
  snack | imbiss snack | merienda tentempié | goûter collation | 零食 小吃
  buffet | buffet | bufé | buffet | 自助餐
  catering | verpflegung catering | catering | traiteur | 餐饮
  menu | speisekarte | carta menú | | 菜单
  tip | trinkgeld | propina | pourboire | 小费
  canteen cafeteria | kantine mensa | cantina comedor | cantine | 食堂
  cafe teahouse | café kaffeehaus | cafetería | café | 咖啡馆
  juice lemonade soda | limonade | limonada refresco gaseosa | limonade soda | 汽水
  spirits liquor brandy | schnaps weinbrand likör | licor aguardiente | alcool liqueur | 白酒 烈酒
  whisky whiskey | whisky | whisky | whisky | 威士忌
  champagne | sekt champagner | champán cava | champagne | 香槟
  cider | apfelwein | sidra | cidre | 苹果酒
  alcohol alcoholic drunk | alkohol betrunken | alcohol borracho | alcool ivre | 酒精 喝醉
  brew brewery | brauen brauerei gebraut | cerveza cervecería | brasser brasserie | 酿酒 啤酒厂
  ferment fermentation | gären gärung | fermentar fermentación | fermenter fermentation | 发酵
  cocoa | kakao | cacao | cacao | 可可
  espresso | espresso | espresso | expresso | 浓缩咖啡
  kettle | wasserkocher kessel | hervidor tetera | bouilloire | 水壶
  teapot | teekanne kanne | tetera | théière | 茶壶
  jug pitcher | krug | jarra | cruche carafe pichet | 水罐
  bowl | schüssel schale | cuenco tazón bol | bol saladier | 碗
  tray | tablett | bandeja | plateau | 托盘
  cutlery | besteck | cubiertos | couverts | 餐具
  lid | deckel | tapa | couvercle | 盖子
  strainer sieve colander | sieb | colador | passoire tamis | 筛子 滤网
  grater | reibe | rallador | râpe | 擦丝器
  whisk mixer blender | schneebesen mixer rührgerät | batidora | fouet mixeur batteur | 搅拌机 打蛋器
  toaster | toaster | tostadora | | 烤面包机
  microwave | mikrowelle | microondas | | 微波炉
  dishwasher | geschirrspüler spülmaschine | lavavajillas | | 洗碗机
  napkin | serviette | servilleta | | 餐巾
  tablecloth | tischdecke tischtuch | mantel | nappe | 桌布
  tin | dose konserve büchse | lata conserva | conserve | 罐头
  corkscrew cork | korkenzieher korken | sacacorchos corcho | bouchon liège | 开瓶器 软木塞
  boil | sieden aufkochen gekocht | hervir | bouillir | 煮沸 烧开
  fry | frittieren anbraten | freír frito | frire frit | 油炸
  steam | dampf dämpfen | vapor | vapeur | 蒸汽
  stir | rühren umrühren | remover revolver | remuer mélanger | 搅拌
  mix mixture blend | mischen mischung gemischt | mezclar mezcla | mélanger mélange | 混合
  chop slice | schneiden hacken scheibe | picar cortar rebanada | hacher trancher tranche | 切片 切碎
  peel | schälen geschält | pelar | éplucher peler | 削皮
  grind mill | mahlen gemahlen mühle | moler molino | moudre moulin | 研磨 磨坊
  knead | kneten geknetet | amasar | pétrir | 揉面
  marinate marinade | marinieren marinade | adobo marinar | mariner marinade | 腌制
  smoke | räuchern geräuchert | ahumar ahumado | fumer fumé | 烟熏
  pickle preserve | einlegen einmachen eingelegt | encurtido encurtir | conserver | 泡菜 腌菜
  portion serving | portion | porción ración | portion | 一份
  raw | roh | crudo | cru | 生的
  ripe | reif | maduro | mûr | 成熟
  rotten spoiled mouldy | verdorben faul verfault | podrido | pourri | 腐烂 变质
  fresh | frisch | fresco | frais fraîche | 新鲜
  organic | bio biologisch | ecológico orgánico | biologique bio | 有机
  gluten | gluten | gluten | gluten | 麸质
  lactose | laktose | lactosa | lactose | 乳糖
  protein | eiweiß protein | proteína | protéine | 蛋白质
  fat | fett | grasa | graisse gras | 脂肪
  calorie calories | kalorie kalorien | caloría | calorie calories | 卡路里
  vitamin | vitamin | vitamina | vitamine | 维生素
  nutrition nutrient | nährwert nährstoff | nutrición nutriente | nutrition | 营养`
