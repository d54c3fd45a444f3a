/** Home, food and nature: one concept a line, with its words in English, German, Spanish, French and Chinese. */
export const household = `
  house home | haus zuhause heim | casa hogar | maison domicile | 房子 家里
  flat apartment | wohnung | piso apartamento | appartement | 公寓
  room | zimmer raum | habitación cuarto sala | chambre pièce salle | 房间
  kitchen | küche | cocina | cuisine | 厨房
  bathroom bath | bad badezimmer | baño | bain | 浴室
  toilet | toilette klo | aseo lavabo | toilettes | 厕所
  bedroom | schlafzimmer | dormitorio | chambre | 卧室
  bed | bett | cama | lit | 床
  cellar basement | keller | sótano | cave | 地下室
  attic loft | dachboden speicher | desván ático | grenier | 阁楼
  roof | dach | techo tejado | toit | 屋顶
  floor storey | boden stock etage | suelo planta | étage sol plancher | 地板 楼层
  wall | wand mauer | pared muro | mur | 墙
  door | tür türe | puerta | porte | 门
  gate | tor | portón | portail | 大门
  window | fenster | ventana | fenêtre | 窗户
  stairs staircase | treppe | escalera escaleras | escalier | 楼梯
  lift elevator | aufzug fahrstuhl | ascensor | ascenseur | 电梯
  garage | garage | garaje cochera | garage | 车库
  garden yard | garten | jardín | jardin | 花园 院子
  shed barn | schuppen scheune | cobertizo granero | abri grange | 棚子 谷仓
  hall | halle saal | sala salón pasillo | salle hall | 大厅
  corridor hallway | flur gang | pasillo | couloir | 走廊
  balcony terrace | balkon terrasse | balcón terraza | balcon terrasse | 阳台
  heating heater | heizung heizen | calefacción calentador | chauffage | 暖气
  boiler | heizkessel kessel therme | caldera | chaudière | 锅炉
  stove oven | ofen herd | horno estufa | four cuisinière | 烤箱 炉子
  fridge refrigerator | kühlschrank | nevera frigorífico | frigo réfrigérateur | 冰箱
  freezer | gefrierschrank tiefkühltruhe | congelador | congélateur | 冷冻
  washing laundry | wäsche waschen | lavado colada | lessive linge | 洗衣
  machine | maschine gerät | máquina aparato | machine appareil | 机器
  vacuum | staubsauger | aspiradora | aspirateur | 吸尘器
  furniture | möbel | muebles | meubles | 家具
  table | tisch | mesa | table | 桌子
  desk | schreibtisch | escritorio | bureau | 书桌
  chair | stuhl stühle | silla | chaise | 椅子
  sofa couch | sofa couch | sofá | canapé | 沙发
  cupboard cabinet closet wardrobe | schrank | armario gabinete | armoire placard | 柜子 衣柜
  shelf | regal | estante estantería | étagère | 架子
  drawer | schublade | cajón | tiroir | 抽屉
  lamp light | lampe licht | lámpara luz | lampe lumière | 灯
  mirror | spiegel | espejo | miroir | 镜子
  carpet rug | teppich | alfombra | tapis | 地毯
  curtain | vorhang | cortina | rideau | 窗帘
  blanket | decke | manta | couverture | 毯子
  towel | handtuch handtücher | toalla | serviette | 毛巾
  box chest crate | kiste schachtel kasten karton | caja | boîte caisse | 盒子 箱子
  bag | tasche beutel | bolsa bolso | sac | 袋子 包
  basket | korb | cesta | panier | 篮子
  bottle | flasche | botella | bouteille | 瓶子
  glass | glas | vaso vidrio | verre | 玻璃 杯子
  cup mug | tasse becher | taza | tasse | 杯子
  plate dish | teller geschirr | plato | assiette plat | 盘子
  knife | messer | cuchillo | couteau | 刀
  fork | gabel | tenedor | fourchette | 叉子
  spoon | löffel | cuchara | cuillère | 勺子
  pot pan | topf pfanne | olla sartén | casserole poêle | 锅
  jar | glas | tarro frasco | pot bocal | 罐子 一罐
  key keys | schlüssel | llave llaves | clé clés clef | 钥匙
  lock | schloss | cerradura candado | serrure cadenas | 锁
  safe | tresor |  |  | 保险箱
  tool tools | werkzeug werkzeuge | herramienta herramientas | outil outils | 工具
  hammer | hammer | martillo | marteau | 锤子
  screw | schraube schrauben | tornillo | vis | 螺丝
  screwdriver | schraubendreher schraubenzieher | destornillador | tournevis | 螺丝刀
  wrench spanner | schraubenschlüssel | llave | clé | 扳手
  saw | säge | sierra | scie | 锯子
  drill | bohrer bohrmaschine | taladro | perceuse | 钻头 电钻
  ladder | leiter | escalera | échelle | 梯子
  rope | seil | cuerda | corde | 绳子
  paint colour color | farbe lack | pintura color | peinture couleur | 颜色 油漆
  brush | pinsel bürste | pincel cepillo | pinceau brosse | 刷子
  glue | kleber leim | pegamento | colle | 胶水
  wood timber | holz | madera | bois | 木头
  metal | metall | metal | métal | 金属
  iron steel | eisen stahl | hierro acero | fer acier | 铁 钢
  stone | stein | piedra | pierre | 石头
  paper | papier | papel | papier | 纸
  battery | akku batterie | batería pila | batterie pile | 电池
  charge charging charger | laden aufladen ladegerät | cargar cargador carga | charger chargeur recharge | 充电
  cable wire cord | kabel draht leitung | cable | câble fil | 电缆 电线
  plug socket outlet | stecker steckdose | enchufe | prise | 插头 插座
  fuse | sicherung | fusible | fusible | 保险丝
  electricity power | strom elektrizität | electricidad luz corriente | électricité courant | 电力 电
  water | wasser | agua | eau | 水
  gas | gas | gas | gaz | 煤气 燃气
  oil | öl | aceite | huile | 机油 油
  petrol gasoline fuel | benzin kraftstoff treibstoff | gasolina combustible | essence carburant | 汽油 燃料
  fire | feuer brand | fuego incendio | feu incendie | 火 火灾
  alarm | alarm | alarma | alarme | 警报
  smoke | rauch | humo | fumée | 烟
  rubbish garbage trash waste | müll abfall | basura | ordures déchets poubelle | 垃圾
  clean cleaning | reinigen reinigung putzen sauber | limpiar limpieza limpio | nettoyer nettoyage propre | 清洁 打扫
  repair fix mend | reparieren reparatur | reparar reparación arreglar | réparer réparation | 修理 维修
  broken damaged defective | kaputt defekt beschädigt | roto rota averiado dañado | cassé cassée endommagé panne | 坏了 损坏
  clothes clothing | kleidung kleider | ropa | vêtements habits | 衣服
  shirt | hemd | camisa | chemise | 衬衫
  trousers pants | hose | pantalón pantalones | pantalon | 裤子
  dress | kleid | vestido | robe | 裙子
  jacket coat | jacke mantel | chaqueta abrigo | veste manteau | 外套
  shoe shoes | schuh schuhe | zapato zapatos | chaussure chaussures | 鞋子
  hat cap | hut mütze | sombrero gorra | chapeau casquette | 帽子
  scarf | schal | bufanda | écharpe foulard | 围巾
  glove gloves | handschuh handschuhe | guante guantes | gant gants | 手套
  umbrella | regenschirm schirm | paraguas | parapluie | 雨伞
  ring jewellery | ring schmuck | anillo joya | bague bijou | 戒指 首饰
  watch clock | uhr | reloj | montre horloge | 手表
  size | größe | talla tamaño | taille | 尺寸 尺码
  food meal | essen mahlzeit | comida alimento | nourriture repas | 食物
  breakfast | frühstück | desayuno |  | 早餐
  lunch | mittagessen | almuerzo comida | déjeuner | 午餐
  dinner supper | abendessen | cena | dîner souper | 晚餐 晚饭
  recipe | rezept | receta | recette | 食谱
  ingredient | zutat zutaten | ingrediente | ingrédient | 材料 配料
  bread | brot | pan | pain | 面包
  butter | butter | mantequilla | beurre | 黄油
  cheese | käse | queso | fromage | 奶酪
  milk | milch | leche | lait | 牛奶
  egg eggs | ei eier | huevo huevos | œuf œufs | 鸡蛋
  meat | fleisch | carne | viande | 肉
  fish | fisch | pescado pez | poisson | 鱼
  chicken | huhn hähnchen | pollo | poulet | 鸡肉
  vegetable vegetables | gemüse | verdura verduras | légume légumes | 蔬菜
  potato | kartoffel kartoffeln | patata papa |  | 土豆
  tomato | tomate tomaten | tomate | tomate | 番茄
  onion | zwiebel | cebolla | oignon | 洋葱
  garlic | knoblauch | ajo | ail | 大蒜
  fruit | obst frucht | fruta | fruit | 水果
  apple | apfel äpfel | manzana | pomme | 苹果
  orange | orange apfelsine | naranja | orange | 橙子
  strawberry | erdbeere erdbeeren | fresa | fraise | 草莓
  nut nuts | nuss nüsse | nuez nueces | noix | 坚果
  rice | reis | arroz | riz | 米饭
  noodle pasta | nudeln nudel | pasta fideos | pâtes nouilles | 面条
  soup | suppe | sopa | soupe | 汤
  cake | kuchen torte | pastel tarta | gâteau | 蛋糕
  chocolate | schokolade | chocolate | chocolat | 巧克力
  sugar | zucker | azúcar | sucre | 糖
  salt | salz | sal | sel | 盐
  honey | honig | miel | miel | 蜂蜜
  spice pepper | gewürz pfeffer | especia pimienta | épice poivre | 香料 胡椒
  coffee | kaffee | café | café | 咖啡
  tea | tee | té | thé | 茶
  beer | bier | cerveza | bière | 啤酒
  wine | wein | vino | vin | 葡萄酒
  juice | saft | zumo jugo | jus | 果汁
  drink drinks beverage | getränk getränke trinken | bebida beber tomar | boisson boire | 饮料 喝
  eat eats eating | essen isst | comer come | manger mange | 吃
  restaurant | restaurant gaststätte lokal | restaurante | restaurant | 餐厅 饭店
  bar pub tavern | kneipe bar | bar taberna | bar bistrot | 酒吧 酒馆
  cook cooking | kochen kocht | cocinar cocina | cuisiner cuisine | 做饭 烹饪
  bake baking | backen backt | hornear | cuire | 烘焙
  animal pet | tier haustier tiere | animal mascota | animal animaux | 动物 宠物
  dog | hund hunde | perro perra | chien chienne | 狗
  cat | katze kater katzen | gato gata | chat chatte | 猫
  horse | pferd pferde | caballo | cheval chevaux | 马
  cow cattle | kuh kühe rind | vaca | vache | 牛
  pig | schwein | cerdo | cochon porc | 猪
  sheep | schaf schafe | oveja | mouton | 羊
  goat | ziege ziegen | cabra | chèvre | 山羊
  bird | vogel vögel | pájaro ave | oiseau oiseaux | 鸟
  bee bees | biene bienen | abeja abejas | abeille abeilles | 蜜蜂
  rabbit | kaninchen hase | conejo | lapin | 兔子
  mouse | maus mäuse | ratón | souris | 老鼠 鼠标
  insect | insekt insekten | insecto | insecte | 昆虫
  plant | pflanze pflanzen | planta | plante | 植物
  tree | baum bäume | árbol árboles | arbre arbres | 树
  flower | blume blumen | flor flores | fleur fleurs | 花
  grass lawn | gras rasen | hierba césped | herbe pelouse | 草 草坪
  leaf leaves | blatt blätter | hoja hojas | feuille feuilles | 叶子
  seed | samen saatgut | semilla | graine | 种子
  harvest crop | ernte ernten | cosecha | récolte moisson | 收获 收成
  forest wood | wald | bosque | forêt bois | 森林
  field | feld | campo | champ | 田地
  mountain | berg berge | montaña | montagne | 山
  hill | hügel | colina | colline | 小山
  river | fluss | río | rivière fleuve | 河
  lake | see | lago | lac | 湖
  sea ocean | meer see ozean | mar océano | mer océan | 海 大海
  beach coast | strand küste | playa costa | plage côte | 海滩
  island | insel | isla | île | 岛
  bridge | brücke | puente | pont | 桥
  weather | wetter | tiempo clima | météo temps | 天气
  rain | regen regnet | lluvia llueve | pluie pleut | 下雨
  snow | schnee schneit | nieve | neige | 雪
  wind | wind | viento | vent | 风
  storm | sturm gewitter | tormenta | tempête orage | 暴风
  sun sunny | sonne sonnig | sol | soleil | 太阳
  ice frost | eis frost | hielo helada | glace gel | 冰
  hot warm | heiß warm | caliente calor | chaud | 热
  cold cool | kalt kühl | frío fría fresco | froid froide frais | 冷`
