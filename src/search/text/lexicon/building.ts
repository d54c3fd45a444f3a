/** Building, crafts, tools and materials: one concept a line, with its words in English, German, Spanish, French and Chinese. */
export const building = `
  building | gebäude bauwerk | edificio | bâtiment immeuble | 建筑 大楼
  construction | bau bauen baustelle | construcción obra | construction chantier | 建设 施工
  renovation renovate refurbish | renovierung renovieren sanierung sanieren renoviert | renovación renovar reforma reformar | rénovation rénover | 装修 翻新
  demolish demolition | abriss abreißen abgerissen | demoler demolición derribar | démolir démolition | 拆除
  foundation | fundament | cimiento | fondation | 地基
  concrete | beton | hormigón concreto | béton | 混凝土
  cement | zement | cemento | ciment | 水泥
  mortar | mörtel | mortero | mortier | 砂浆
  brick | ziegel ziegelstein backstein | ladrillo | brique | 砖头
  tile | fliese fliesen kachel dachziegel | azulejo baldosa teja | carrelage carreau tuile | 瓷砖 瓦片
  plaster drywall | putz gips verputzen gipskarton | yeso enlucido | plâtre enduit | 石膏 灰泥
  insulation insulate | dämmung isolierung dämmen isolieren | aislamiento aislar | isolation isoler isolant | 隔热 绝缘
  beam girder | balken träger | viga | poutre | 横梁 梁
  pillar | säule pfeiler | pilar columna | pilier colonne | 柱子
  board plank | brett bretter planke diele | tabla tablón | planche | 木板
  plywood | sperrholz | contrachapado | contreplaqué | 胶合板
  panel | platte paneel | panel | panneau | 面板
  ceiling | zimmerdecke decke | techo cielo | plafond | 天花板
  chimney fireplace | schornstein kamin | chimenea | cheminée | 烟囱 壁炉
  gutter | dachrinne regenrinne | canalón | gouttière | 水槽 檐沟
  drain sewer | abfluss abwasser kanalisation | desagüe alcantarilla drenaje | égout évacuation drain | 下水道 排水
  pipe tube | rohr rohrleitung | tubo tubería caño | tuyau tube conduite | 管道 管子
  tap faucet | wasserhahn armatur | grifo | robinet | 水龙头
  sink washbasin basin | waschbecken spüle spülbecken | fregadero lavabo | évier lavabo | 水槽 洗手池
  shower | dusche duschen | ducha | douche | 淋浴
  bathtub | badewanne | bañera tina | baignoire | 浴缸
  leak leaky | leck undicht tropft leckage | fuga gotera | fuite fuir | 漏水 泄漏
  mould mold mildew | schimmel | moho | moisissure | 发霉 霉菌
  damp moisture humidity humid | feucht feuchtigkeit | húmedo humedad | humide humidité | 潮湿 湿度
  crack | riss | grieta fisura | fissure | 裂缝
  hole | loch löcher | agujero hoyo | trou |
  fence | zaun | valla cerca | clôture | 围栏 栅栏
  hedge | hecke | seto | haie | 树篱
  railing handrail banister | geländer handlauf | barandilla pasamanos | rambarde | 栏杆 扶手
  step | stufe | escalón peldaño | marche | 台阶
  threshold doorstep | schwelle türschwelle | umbral | seuil | 门槛
  handle knob | griff klinke türklinke | manija picaporte mango | poignée | 把手
  hinge | scharnier | bisagra | charnière gond | 铰链
  doorbell bell | klingel türklingel glocke | timbre campana | sonnette cloche | 门铃 铃铛
  shutter blinds | rollladen jalousie rollo | persiana | volet store | 百叶窗
  awning | markise | toldo | auvent | 遮阳篷
  scaffold | gerüst | andamio | échafaudage | 脚手架
  crane | kran | grúa | grue | 起重机 吊车
  excavator digger | bagger | excavadora | pelleteuse excavatrice | 挖掘机
  shovel spade | schaufel spaten | pala | pelle bêche | 铲子 铁锹
  rake | rechen harke | rastrillo | râteau | 耙子
  wheelbarrow | schubkarre | carretilla | brouette | 独轮车
  bucket pail | eimer | cubo balde | seau | 水桶 桶
  hose | schlauch gartenschlauch | manguera | tuyau | 软管 水管
  axe | axt beil | hacha | hache | 斧头
  pliers | zange | alicates | pince | 钳子
  chisel | meißel stemmeisen | cincel formón | ciseau burin | 凿子
  rasp | feile raspel | lima | lime râpe | 锉刀
  clamp | schraubstock zwinge klemme | abrazadera sargento | étau | 夹子 台钳
  nail | nagel | clavo | clou clous | 钉子
  bolt | bolzen | perno | boulon | 螺栓
  nut | schraubenmutter | tuerca | écrou | 螺母
  washer | unterlegscheibe | arandela | rondelle | 垫圈
  dowel | dübel | taco | cheville | 膨胀螺丝 木钉
  hook | haken | gancho | crochet | 钩子
  chain | kette ketten | cadena | chaîne | 链条
  spring | feder | resorte muelle | ressort | 弹簧
  lever | hebel | palanca | levier | 杠杆
  cog | zahnrad | engranaje | engrenage | 齿轮
  bearing | kugellager wälzlager | rodamiento cojinete | roulement palier | 轴承
  shaft axle | welle achse | eje árbol | arbre essieu axe |
  blade | klinge | cuchilla hoja | lame | 刀片 刀刃
  scissors | schere | tijera | ciseaux | 剪刀
  tape | klebeband | cinta | ruban adhésif | 胶带
  sandpaper sanding | schleifpapier schleifen schmirgelpapier | lija lijar | ponçage poncer | 砂纸 打磨
  varnish lacquer | lack firnis | barniz | vernis laque | 清漆
  primer undercoat | grundierung | imprimación | apprêt | 底漆
  coat layer | schicht beschichtung | capa revestimiento | couche revêtement | 涂层
  wallpaper | tapete tapeten | | | 壁纸 墙纸
  putty filler | spachtel spachtelmasse | masilla | mastic | 腻子
  silicone | silikon | silicona | silicone | 硅胶
  ruler | lineal | regla | règle | 尺子 直尺
  tapemeasure | maßband zollstock | | | 卷尺
  level | wasserwaage | nivel | niveau | 水平仪
  workbench bench | werkbank | banco | établi | 工作台
  lathe | drehbank drehmaschine | torno | tour | 车床
  milling | fräse fräsen fräsmaschine | fresadora | fraiseuse | 铣床
  welding | schweißen geschweißt schweißer | soldar soldadura | souder soudage soudure | 焊接
  forge blacksmith smith | schmied schmiede schmieden | herrero forja | forgeron forge | 铁匠 锻造
  casting | guss gießen gegossen | fundición | moulage fonte | 铸造
  rivet | niete nieten | remache | rivet | 铆钉
  rust rusty | rost rostig verrostet | óxido oxidado | rouille | 生锈 铁锈
  copper | kupfer | cobre | cuivre | 铜
  brass | messing | latón | laiton | 黄铜
  bronze | bronze | bronce | bronze | 青铜
  aluminium aluminum | aluminium | aluminio | aluminium | 铝
  zinc | zink | zinc | zinc | 锌
  tin | zinn | estaño | étain |
  lead | blei | plomo | plomb | 铅
  gold golden | gold golden | oro dorado | doré | 黄金 金色
  silver | silber silbern | plata plateado | argent | 银色
  sheetmetal | blech | chapa | tôle | 钢板 金属板
  alloy | legierung | aleación | alliage | 合金
  plastic | kunststoff plastik | plástico | plastique | 塑料
  rubber | gummi | goma caucho | caoutchouc | 橡胶
  leather | leder | cuero piel | cuir | 皮革
  cardboard | pappe karton | cartón | carton | 纸板 硬纸板
  foam | schaum schaumstoff | espuma | mousse | 泡沫
  clay | ton lehm | arcilla barro | argile | 粘土 黏土
  ceramic pottery | keramik töpferei | cerámica alfarería | céramique poterie | 陶瓷 陶器
  porcelain | porzellan | porcelana | porcelaine | 瓷器
  marble | marmor | mármol | marbre | 大理石
  granite | granit | granito | granit | 花岗岩
  slate | schiefer | pizarra | ardoise | 石板
  gravel | kies schotter | grava gravilla | gravier | 碎石 砾石
  sand | sand | arena | sable | 沙子
  lime | kalk | cal | chaux | 石灰
  tar asphalt | teer asphalt | alquitrán asfalto | goudron asphalte bitume | 沥青
  oak | eiche eichenholz | roble | chêne | 橡木 橡树
  pine | kiefer | pino | pin | 松树 松木
  beech | buche buchenholz | haya | hêtre | 山毛榉
  spruce fir | fichte tanne | abeto | épicéa sapin | 云杉 冷杉
  wax | wachs | cera | cire | 蜡
  resin | harz | resina | résine | 树脂
  fibre fiber | faser fasern | fibra | fibre | 纤维
  net mesh | netz gitter | malla | filet maille |
  powder | pulver | polvo | poudre | 粉末
  dust | staub staubig | polvo | poussière | 灰尘
  ash | asche | ceniza | cendre | 灰烬
  coal | kohle | carbón | charbon | 煤炭
  charcoal | holzkohle | carbón | charbon | 木炭
  candle | kerze | vela candela | bougie chandelle | 蜡烛
  match | streichholz streichhölzer | cerilla fósforo | allumette | 火柴
  lighter | feuerzeug | encendedor mechero | briquet | 打火机
  torch flashlight | taschenlampe | linterna | lampe | 手电筒
  bulb lightbulb | glühbirne | bombilla | ampoule | 灯泡
  lantern | laterne | farol linterna | lanterne | 灯笼
  helmet | helm | casco | casque | 头盔 安全帽
  goggles | schutzbrille | | | 护目镜
  apron | schürze | delantal | tablier | 围裙
  extinguisher | feuerlöscher | extintor | extincteur | 灭火器
  detector | melder detektor | detector | détecteur | 探测器
  measurement measure | messung messen gemessen maß | medición medida medir | mesure mesurer | 测量
  drawing blueprint | zeichnung bauplan | plano dibujo | dessin | 图纸 绘图
  sketch | skizze | boceto croquis | croquis esquisse | 草图
  knitting | stricken gestrickt | tejer tejido punto | tricoter tricot | 编织 针织
  crochet | häkeln gehäkelt | ganchillo | crochet | 钩针
  sewing sewn | nähen genäht nähmaschine | coser costura | coudre couture cousu | 缝纫
  embroidery | stickerei sticken | bordado | broderie broder | 刺绣
  weaving loom | weben webstuhl gewebt | tejer telar | tisser tissage métier | 织布
  yarn thread | garn faden | hilo | fil | 毛线
  needle | nadel nadeln | aguja | aiguille |
  pin | stecknadel | alfiler | épingle | 别针 大头针
  ribbon | schleife band | cinta | ruban | 丝带
  carve | schnitzen geschnitzt schnitzerei | tallar talla | sculpter | 雕刻
  assemble assembly | montage montieren zusammenbauen montiert | montar montaje ensamblar | assembler montage monter | 组装 装配
  dismantle disassemble | abbauen demontieren zerlegen | desmontar | démonter démontage | 拆卸`
