/** Vehicles, ships and travel: one concept a line, with its words in English, German, Spanish, French and Chinese. */
export const transport = `
  traffic | verkehr straßenverkehr | tráfico tránsito | trafic circulation | 交通
  jam congestion | stau | atasco embotellamiento | embouteillage bouchon | 堵车 拥堵
  accident collision | unfall zusammenstoß | accidente choque colisión | accident collision | 事故 车祸
  detour diversion | umleitung umweg | desvío rodeo | détour déviation | 绕路 绕道
  roundabout | kreisverkehr | rotonda glorieta | | 环岛
  crossing intersection junction crossroads | kreuzung | cruce intersección | carrefour croisement intersection | 路口 十字路口
  pavement sidewalk | gehweg bürgersteig | acera | trottoir | 人行道
  pedestrian | fußgänger fußgängerin | peatón | piéton | 行人
  cyclist | radfahrer radfahrerin | ciclista | cycliste | 骑车人
  lane | fahrspur spur | carril | voie | 车道
  tunnel | tunnel | túnel | tunnel | 隧道
  kerb curb | bordstein | bordillo | | 路缘
  track rail railway railroad | gleis schiene eisenbahn | vía ferrocarril carril | rail ferroviaire chemin | 铁路 轨道
  platform | bahnsteig gleis | andén | quai | 站台 月台
  locomotive | lokomotive lok | locomotora | locomotive | 火车头 机车
  carriage wagon | waggon wagen | vagón | wagon | 车厢
  trailer | anhänger | remolque | remorque | 拖车 挂车
  caravan camper motorhome | wohnwagen wohnmobil | caravana autocaravana | caravane | 房车
  van | lieferwagen transporter | furgoneta | fourgonnette camionnette fourgon | 面包车 货车
  ambulance | krankenwagen rettungswagen | ambulancia | ambulance | 救护车
  tractor | traktor trecker schlepper | tractor | tracteur | 拖拉机
  forklift | gabelstapler stapler | carretilla montacargas | | 叉车
  scooter moped | roller motorroller | patinete ciclomotor | trottinette scooter mobylette | 滑板车 踏板车
  helicopter | hubschrauber helikopter | helicóptero | hélicoptère | 直升机
  rocket | rakete | cohete | fusée | 火箭
  satellite | satellit | satélite | satellite | 卫星
  balloon | ballon luftballon | globo | ballon | 气球
  kite | drachen | cometa | | 风筝
  windscreen windshield | windschutzscheibe | parabrisas | | 挡风玻璃
  wiper | scheibenwischer | limpiaparabrisas | | 雨刮器
  headlight headlamp | scheinwerfer | faro | phare | 车灯 大灯
  bumper | stoßstange | parachoques | | 保险杠
  bonnet hood | motorhaube haube | capó | capot | 引擎盖
  trunk | kofferraum | maletero | coffre | 后备箱
  steering | lenkung lenkrad steuer | volante | volant direction | 方向盘 转向
  seat | sitz sitzplatz | asiento | siège | 座位 座椅
  seatbelt | sicherheitsgurt gurt | cinturón | ceinture | 安全带
  airbag | airbag | airbag | airbag | 气囊
  clutch | kupplung | embrague | embrayage | 离合器
  exhaust | auspuff abgas | escape | échappement | 排气管 尾气
  carburettor carburetor | vergaser | carburador | carburateur | 化油器
  radiator | kühler heizkörper | radiador | radiateur | 散热器 暖气片
  sparkplug | zündkerze | bujía | | 火花塞
  ignition | zündung | encendido | allumage | 点火
  pedal | pedal | pedal | pédale | 踏板
  saddle | sattel | sillín | selle | 车座 马鞍
  handlebar | lenker fahrradlenker | manillar | guidon | 车把
  spoke | speiche speichen | radio rayo | rayon | 辐条
  puncture | reifenpanne platten | pinchazo | crevaison | 爆胎
  tow | abschleppen abgeschleppt schleppen | remolcar grúa | remorquer remorquage dépanneuse | 牵引
  breakdown | panne | avería | panne | 抛锚 故障
  speed velocity | geschwindigkeit tempo | velocidad | vitesse | 速度
  accelerate acceleration | beschleunigen beschleunigung | acelerar aceleración | accélérer accélération | 加速
  drive drove driven | fahren gefahren fährt | conducir manejar | conduire conduite | 开车 驾驶
  steer navigate navigation | lenken steuern navigation | navegar navegación | naviguer navigation | 导航
  reverse | rückwärts rückwärtsgang | marcha | | 倒车
  overtake | überholen überholt | adelantar | dépasser doubler | 超车
  licence permit | führerschein | carné permiso | permis | 驾照 驾驶证
  mileage odometer | kilometerstand | kilometraje | kilométrage | 里程
  kilometre kilometer | kilometer | kilómetro | kilomètre | 公里 千米
  mile | meile meilen | milla | mille | 英里
  route itinerary | strecke reiseroute route | ruta itinerario trayecto | itinéraire trajet | 路线 行程
  direction | richtung wegbeschreibung | dirección | direction | 方向
  distance | entfernung abstand distanz | distancia | distance | 距离
  destination | reiseziel zielort | destino | destination | 目的地
  departure depart | abfahrt abflug abreise | salida partida | départ | 出发
  arrival arrive | ankunft ankommen angekommen | llegada llegar llegado | arrivée arriver arrivé | 到达 抵达
  stop halt | haltestelle halten anhalten | parada parar | arrêt arrêter | 停车 停止
  passenger | passagier fahrgast | pasajero pasajera | passager | 乘客 旅客
  commute commuter | pendeln pendler | | navette | 通勤
  fare | fahrpreis | pasaje tarifa | tarif | 车费 票价
  toll | maut | peaje | péage | 过路费
  ferry | fähre | ferry transbordador | | 渡轮 渡船
  cruise | kreuzfahrt | crucero | croisière | 游轮 邮轮
  yacht | jacht yacht | yate | yacht | 游艇
  canoe kayak paddle | kanu kajak paddel paddeln | canoa kayak remo | canoë kayak pagaie | 皮划艇 划桨
  rowing oar | rudern ruder | remar remo | ramer rame aviron | 划船
  raft | floß | balsa | radeau | 木筏
  hull | rumpf schiffsrumpf | casco | coque | 船体
  deck | deck | cubierta | pont | 甲板
  mast | mast | mástil | mât | 桅杆
  keel | kiel | quilla | quille | 龙骨
  rudder helm | ruder steuerruder | timón | gouvernail barre | 船舵
  propeller | propeller schiffsschraube | hélice | hélice | 螺旋桨
  captain skipper | kapitän kapitänin | capitán capitana | capitaine | 船长 队长
  sailor seaman | matrose seemann | marinero | marin matelot | 水手 海员
  lighthouse | leuchtturm | faro | phare | 灯塔
  dock wharf quay pier jetty | kai anleger steg | muelle | quai jetée | 码头
  shipyard | werft | astillero | chantier | 造船厂 船厂
  canal | kanal | canal | canal | 运河
  sluice | schleuse | esclusa | écluse | 船闸
  tide tidal | gezeiten ebbe flut | marea | marée | 潮汐 潮水
  wave | welle wellen | ola | vague | 波浪 海浪
  buoy | boje | boya | bouée | 浮标
  lifejacket | schwimmweste rettungsweste | chaleco | gilet | 救生衣
  knot | knoten | nudo | nœud | 绳结
  compass | kompass | brújula | boussole | 指南针
  runway | landebahn startbahn | pista | piste | 跑道
  landing | landung landen gelandet | aterrizar aterrizaje | atterrir atterrissage | 降落 着陆
  takeoff | abflug starten | despegue despegar | décollage décoller | 起飞
  terminal | terminal | terminal | terminal | 航站楼
  boarding | einsteigen bordkarte | embarque embarcar | embarquement embarquer | 登机
  layover stopover | umsteigen zwischenstopp umstieg | escala transbordo | escale correspondance | 转机 中转
  wing | flügel tragfläche | ala | aile | 机翼 翅膀
  cabin | kabine | cabina | cabine | 客舱 驾驶室
  tourist | tourist touristin | turista | touriste | 游客
  tourism | tourismus fremdenverkehr | turismo | tourisme | 旅游业
  sightseeing | besichtigung sehenswürdigkeit | turismo | visite | 观光
  guide | fremdenführer reiseführer | guía | guide | 导游
  brochure leaflet flyer | broschüre prospekt faltblatt | folleto | brochure dépliant prospectus | 宣传册 传单
  camping campsite tent | zelten campingplatz zelt | acampar campamento tienda | camper tente campement | 露营 帐篷
  hostel | jugendherberge herberge | albergue hostal | auberge | 旅舍 青年旅社
  rucksack backpack | rucksack | mochila | | 背包 书包
  souvenir | andenken souvenir | recuerdo | souvenir | 纪念品
  postcard | postkarte ansichtskarte | postal tarjeta | | 明信片
  abroad foreign | ausland ausländisch | extranjero | étranger | 国外 外国
  immigration immigrant migrant | einwanderung einwanderer | inmigración inmigrante | immigration immigré | 移民
  embassy consulate | botschaft konsulat | embajada consulado | ambassade consulat | 大使馆 领事馆
  pilgrimage | pilgerreise pilgern wallfahrt | peregrinación | pèlerinage | 朝圣
  adventure | abenteuer | aventura | aventure | 冒险
  explore expedition discover discovery | erkunden entdecken entdeckung entdeckt | explorar descubrir descubrimiento | explorer découvrir découverte | 探索 发现
  capital | hauptstadt | capital | capitale | 首都
  suburb outskirts | vorort stadtrand | suburbio afueras | banlieue | 郊区
  district neighbourhood neighborhood | stadtteil bezirk viertel | barrio distrito | quartier arrondissement | 街区 社区
  square | marktplatz | plaza | | 广场
  downtown | innenstadt stadtzentrum | centro | centre | 市中心
  region area | gegend gebiet region | región zona área | région zone | 地区 区域
  place location | ort stelle standort platz | lugar sitio ubicación | lieu endroit emplacement | 地点 位置
  continent | kontinent erdteil | continente | continent | 大陆 大洲
  europe european | europa europäisch | europa europeo | europe européen | 欧洲
  asia asian | asien asiatisch | asia asiático | asie asiatique | 亚洲
  africa african | afrika afrikanisch | áfrica africano | afrique africain | 非洲
  netherlands dutch holland | niederlande niederländisch holland | holanda holandés | hollande néerlandais | 荷兰
  portugal portuguese | portugal portugiesisch | portugal portugués | portugal portugais | 葡萄牙
  greece greek | griechenland griechisch grieche | grecia griego | grèce | 希腊
  poland polish | polen polnisch | polonia polaco | pologne polonais | 波兰
  russia russian | russland russisch | rusia ruso | russie russe | 俄罗斯
  japan japanese | japan japanisch | japón | japon japonais | 日本 日语
  turkey turkish | türkei türkisch | turquía turco | turquie turc | 土耳其
  india indian | indien indisch | india indio | inde indien | 印度
  belgium belgian | belgien belgisch | bélgica belga | belgique belge | 比利时
  sweden swedish | schweden schwedisch | suecia sueco | suède suédois | 瑞典
  norway norwegian | norwegen norwegisch | noruega noruego | norvège norvégien | 挪威
  denmark danish | dänemark dänisch | dinamarca danés | danemark danois | 丹麦`
