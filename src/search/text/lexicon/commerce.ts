/** Trade, money and contracts: one concept a line, with its words in English, German, Spanish, French and Chinese. */
export const commerce = `
  supermarket grocery | supermarkt lebensmittel | supermercado comestibles | supermarché épicerie | 超市
  mall | einkaufszentrum | centro | | 商场 购物中心
  kiosk newsstand | kiosk | quiosco kiosco | kiosque | 报刊亭 小卖部
  checkout till cashier | kasse kassierer kassiererin | cajero cajera | caisse caissier | 收银 收银台
  counter | theke schalter tresen | mostrador ventanilla | comptoir guichet | 柜台
  shopping | einkauf einkaufen eingekauft | compras | courses achats | 购物
  trolley | einkaufswagen | carrito | chariot caddie | 购物车 手推车
  receipt | quittung kassenbon beleg | recibo tique | reçu ticket | 收据 小票
  refund reimburse reimbursement | erstattung erstatten rückerstattung | reembolso reembolsar | remboursement rembourser | 退款 报销
  voucher coupon | gutschein | vale cupón bono | bon coupon | 优惠券 代金券
  offer bid | angebot anbieten angeboten | oferta ofrecer | offre offrir proposer | 报价 提供
  quote quotation | kostenvoranschlag angebot | cotización presupuesto | devis | 报价单 估价
  bargain | schnäppchen | ganga | aubaine | 特价 便宜货
  auction | versteigerung auktion | subasta | enchère | 拍卖
  trade commerce | handel handeln | comercio | commerce négoce | 贸易 商业
  dealer merchant trader retailer | händler händlerin kaufmann | comerciante | commerçant marchand revendeur | 商人 经销商
  wholesale wholesaler | großhandel großhändler | mayorista | grossiste | 批发
  retail | einzelhandel | minorista | détail | 零售
  brand | marke | marca | marque | 品牌
  manufacturer maker | hersteller produzent | fabricante | fabricant | 制造商 厂家
  advertising advertisement ad ads | werbung anzeige reklame | publicidad anuncio | publicité annonce pub | 广告
  catalogue catalog | katalog | catálogo | catalogue | 目录 商品目录
  sample | muster probe stichprobe | muestra | échantillon | 样品 样本
  label tag sticker | etikett aufkleber schild | etiqueta pegatina | étiquette autocollant | 标签 贴纸
  barcode | strichcode barcode | | | 条码 条形码
  packaging wrapping | verpackung verpacken verpackt | embalaje envase | emballage emballer | 包装
  pallet | palette | palé | palette | 托盘
  container | container behälter | contenedor recipiente | conteneur récipient | 集装箱 容器
  cargo load | ladung fracht | carga cargamento | cargaison chargement | 货物 装载
  unload | entladen ausladen | descargar descarga | décharger déchargement | 卸货
  courier messenger | kurier bote | mensajero | coursier | 快递员 信使
  express | eilsendung express | urgente | exprès | 快递 特快
  shipping dispatch | versand versenden verschickt | envío despacho | expédition expédier | 发货 运输
  recipient addressee | empfänger empfängerin | destinatario | destinataire | 收件人
  sender | absender absenderin | remitente | expéditeur | 寄件人 发件人
  import | import einfuhr importieren | importación importar | importation importer | 进口 导入
  export | export ausfuhr exportieren | exportación exportar | exportation exporter | 出口 导出
  tariff | tarif zolltarif | arancel | tarif | 关税
  complaint complain | beschwerde reklamation reklamieren beschweren | queja reclamación quejarse | plainte réclamation plaindre | 投诉 抱怨
  warranty guarantee | garantie gewährleistung | garantía | garantie | 保修 保证
  subscription subscribe | abonnement abo abonnieren | suscripción suscribir | abonnement abonner | 订阅
  instalment installment | rate raten ratenzahlung | plazo cuota | mensualité | 分期
  deposit | anzahlung kaution pfand | depósito fianza señal | acompte caution arrhes | 押金 定金
  debt owe owed | schulden schuld schuldet | deuda deber debe | dette | 债务 欠款
  interest | zins zinsen | interés intereses | intérêt | 利息
  savings | sparen ersparnisse gespart | ahorro ahorrar | épargne économies épargner | 储蓄 存款 节省
  transfer | überweisung überweisen überwiesen | transferencia transferir | virement virer | 转账 汇款
  withdraw withdrawal | abheben abhebung abgehoben | retirar | retrait retirer | 取款 提款
  coin | münze münzen | moneda | monnaie | 硬币
  banknote | geldschein banknote | billete | billet | 纸币 钞票
  currency | währung | divisa moneda | devise monnaie | 货币
  euro | euro | euro | euro | 欧元
  dollar | dollar | dólar | dollar | 美元
  exchange swap | tausch tauschen umtausch umtauschen | intercambio intercambiar canje | échange échanger | 交换 兑换
  wallet purse | geldbeutel portemonnaie brieftasche | cartera billetera monedero | portefeuille | 钱包
  income revenue earnings | einkommen einnahmen umsatz | ingreso | revenu revenus recettes | 收入
  expense expenditure spending | ausgabe ausgaben spesen | gasto | dépense frais | 支出 开销
  spend spent | ausgeben ausgegeben | gastar gastado | dépenser dépensé | 花费
  earn | verdienen verdient | ganar | gagner | 赚钱 挣钱
  invest investment investor | investieren investition anlage | inversión invertir inversor | investissement investir investisseur | 投资
  share | aktie aktien | acción | action | 股票 股份
  shareholder | aktionär gesellschafter | accionista | actionnaire | 股东
  dividend | dividende | dividendo | dividende | 股息
  fund | fonds | fondo | fonds | 基金
  donation donate donor | spende spenden gespendet | donación donar donante | don donner donateur | 捐款 捐赠
  grant subsidy funding | zuschuss förderung fördermittel | subvención ayuda | subvention | 补助 资助
  scholarship | stipendium | beca | bourse | 奖学金
  pension retirement retire | rente pension ruhestand | pensión jubilación jubilado jubilarse | retraite pension | 退休 养老金
  bonus premium | bonus prämie | bonificación prima | prime bonus | 奖金
  penalty fine | strafe bußgeld geldstrafe | multa sanción penalización | amende pénalité | 罚款 处罚
  balance | saldo kontostand | saldo | solde | 余额
  bankrupt bankruptcy insolvency | insolvenz pleite konkurs bankrott | quiebra bancarrota insolvencia | faillite | 破产
  audit | prüfung revision audit | auditoría | audit | 审计
  bookkeeping accounting | buchhaltung buchführung | contabilidad | comptabilité | 记账 财会
  statement | kontoauszug auszug | extracto | relevé | 对账单
  financing | finanzierung finanzieren finanzen | financiación financiar finanzas | financement financer finances | 融资 金融
  economy economic | wirtschaft wirtschaftlich | economía económico | économie économique | 经济
  inflation | inflation teuerung | inflación | inflation | 通货膨胀
  rich wealthy | reich wohlhabend | rico adinerado | riche | 富有 有钱
  poor poverty | arm armut | pobre pobreza | pauvre pauvreté | 贫穷 贫困
  negotiate negotiation | verhandeln verhandlung | negociar negociación | négocier négociation | 谈判 协商
  tender | ausschreibung | licitación | | 招标 投标
  partnership | partnerschaft | asociación | partenariat | 合作
  competitor rival | konkurrent wettbewerber konkurrenz | competidor rival | concurrent concurrence | 竞争对手
  competition contest | wettbewerb | concurso competición competencia | concours compétition | 竞赛 比赛
  founder found | gründer gründerin gründen gegründet gründung | fundador fundar fundado | fondateur fonder fondé fondation | 创始人 成立
  headquarters | hauptsitz zentrale | sede | siège | 总部
  subsidiary | tochtergesellschaft | filial | filiale | 子公司
  industry | industrie branche | industria | industrie | 工业 行业
  production produce manufacture | produktion herstellung produzieren herstellen hergestellt | producción fabricar fabricación producir | production fabrication fabriquer produire | 生产 制造
  consumer | verbraucher konsument | consumidor | consommateur | 消费者
  consumption | verbrauch | consumo | consommation | 消耗 用量
  demand | nachfrage | demanda | demande | 需求
  supply | versorgung vorrat | suministro | approvisionnement | 供应
  shortage scarcity | mangel knappheit engpass | escasez | pénurie manque | 短缺 缺货
  surplus | überschuss | excedente | surplus excédent | 过剩 盈余
  available availability | verfügbar vorrätig verfügbarkeit | disponible disponibilidad | disponible disponibilité | 可用 有货
  cancellation | stornierung absage | cancelación anulación | annulation | 取消
  clause | klausel | cláusula | clause | 条款
  condition | bedingung bedingungen konditionen | condición | condition | 条件
  liability liable | haftung haftet haften | responsabilidad negligencia | responsabilité négligence | 责任 赔偿责任
  compensation compensate | entschädigung schadensersatz ausgleich | indemnización compensación compensar | indemnisation indemnité compensation | 赔偿 补偿
  lawsuit sue sued litigation | klage verklagen prozess verklagt | demanda pleito demandar | procès plainte | 诉讼 起诉
  court tribunal | gericht | tribunal juzgado | tribunal | 法院 法庭
  witness | zeuge zeugin | testigo | témoin | 证人 目击者
  evidence proof prove proven | beweis nachweis beweisen | prueba evidencia demostrar | preuve prouver | 证据 证明
  guilty guilt | schuldig schuld | culpable culpa | coupable culpabilité | 有罪
  innocent | unschuldig | inocente | innocent | 无辜 无罪
  crime criminal offence | verbrechen straftat kriminell verbrecher | crimen delito criminal | crime délit criminel | 犯罪 罪犯
  theft steal stole stolen thief robbery | diebstahl stehlen gestohlen dieb | robo robar robado ladrón hurto | vol voler voleur | 盗窃 小偷
  burglar burglary | einbrecher einbruch | ladrón robo | cambrioleur cambriolage | 入室盗窃
  fraud scam swindle | betrug betrüger | fraude estafa | fraude escroquerie arnaque | 诈骗 欺诈
  prison jail | gefängnis | cárcel prisión | prison | 监狱
  arrest | verhaften verhaftet festgenommen | arrestar detener detenido | arrêter arrestation arrêté | 逮捕
  punishment punish | bestrafung bestrafen strafe | castigo castigar | punition punir | 惩罚
  copyright | urheberrecht | | | 版权
  patent | patent | patente | brevet | 专利
  trademark | warenzeichen | marca | marque | 商标
  privacy | datenschutz privatsphäre | privacidad | confidentialité | 隐私
  confidential | vertraulich geheim | confidencial | confidentiel | 机密 保密
  testament | testament | testamento | testament | 遗嘱
  inheritance inherit heir | erbe erbschaft erben geerbt | herencia heredar heredero | héritage hériter héritier | 遗产 继承
  divorce | scheidung geschieden | divorcio divorciado divorciarse | divorce divorcer | 离婚
  custody | sorgerecht | custodia | garde | 监护权
  estate property realty | immobilie immobilien grundstück | inmueble inmobiliario propiedad | immobilier propriété | 房产 地产
  realtor broker | makler maklerin | corredor agente | agent courtier | 中介 经纪人
  lease sublet | mietvertrag pacht untermiete | arrendamiento | bail | 租约
  eviction evict | räumung | desalojo desahucio | expulsion | 驱逐
  mandate | vollmacht | poder | procuration | 授权书 委托书
  certificate | bescheinigung zertifikat urkunde | certificado | certificat attestation | 证书 证明
  stamp | stempel briefmarke | sello timbre | tampon timbre cachet | 邮票 印章
  application apply applicant | antrag bewerbung bewerben beantragen bewerber | solicitud solicitar solicitante | candidature demande postuler candidat | 申请
  cv | lebenslauf | currículum currículo | cv | 简历
  interview | vorstellungsgespräch interview | entrevista | entretien interview | 面试 采访
  hire recruit employ | einstellen eingestellt anstellen | contratar contratado | embaucher engager recruter | 雇用 招聘
  dismiss dismissal sack layoff | entlassen entlassung | despedir despido despedido | licencier licenciement licencié | 解雇 裁员
  resign resignation quit | kündigen rücktritt zurücktreten | dimitir renunciar dimisión | démissionner démission | 辞职
  career | karriere laufbahn | carrera | carrière | 职业 事业
  profession occupation | beruf | profesión oficio | métier profession | 职业
  promotion promote | beförderung befördert | ascenso promoción ascender | promotion promu | 晋升 升职
  raise increase | erhöhung erhöhen erhöht gestiegen | aumento aumentar subida | augmentation augmenter hausse | 增加 上涨
  decrease reduce reduction | senken verringern reduzieren gesenkt senkung | disminuir reducir reducción disminución | diminuer réduire diminution baisse | 减少 降低
  overtime | überstunden | extras | | 加班
  union | gewerkschaft | sindicato | syndicat | 工会
  strike | streik streiken | huelga | grève | 罢工
  unemployed unemployment | arbeitslos arbeitslosigkeit | desempleado desempleo paro | chômage chômeur | 失业
  retiree pensioner | rentner rentnerin | jubilado pensionista | retraité | 退休人员
  freelancer | freiberufler selbständig selbstständig | autónomo | indépendant | 自由职业
  consultant advisor adviser | berater beraterin | asesor consultor asesora | conseiller consultant | 顾问
  advice advise consulting | rat beratung beraten | consejo asesoramiento aconsejar | conseil conseiller | 建议 咨询
  workload | arbeitsbelastung | | | 工作量`
